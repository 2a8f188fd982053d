/** The engine's option `ignoreChanges`, which puts old computed inputs among the user's. */
import type { Lifecycle } from "./lifecycle.js";
import type { Values } from "../values/any.js";
import type { OrganizationScoped } from "./object.js";

export function withIgnoredChanges<Inputs extends OrganizationScoped, State extends OrganizationScoped>(
  lifecycle: Lifecycle<Inputs, State>,
): Lifecycle<Inputs, State> {
  return {
    ...lifecycle,
    check(ctx, olds, news) {
      const { ignored, written } = splitIgnored(lifecycle, olds, news);
      const ownContext =
        typeof ignored.organization === "string" ? { ...ctx, organization: ignored.organization } : ctx;
      const checked = lifecycle.check(ownContext, olds, written);
      return { ...checked, inputs: withIgnoredDate(lifecycle, olds, ignored, checked.inputs) };
    },
  };
}

/**
 * With `ignoreChanges`, the engine puts old computed inputs among the user's. They stay, except the address, because the
 * provider's settings say where requests are sent.
 */
function splitIgnored({ date }: Pick<Lifecycle, "date">, olds: Partial<OrganizationScoped>, news: Values) {
  const isIgnored = (key: string): boolean =>
    ["organization", "address", date].includes(key) && news[key] === (olds as Values)[key];
  const only = (wanted: boolean): Values =>
    Object.fromEntries(Object.entries(news).filter(([key]) => isIgnored(key) === wanted));
  return { ignored: only(true), written: only(false) };
}

/** An ignored date stays as it was, and is never due. */
function withIgnoredDate<Inputs extends OrganizationScoped>(
  { date }: Pick<Lifecycle, "date">,
  olds: Partial<Inputs>,
  ignored: Values,
  inputs: Inputs,
): Inputs {
  if (!(date in ignored)) return inputs;
  const { __due, ...rest } = inputs as Inputs & { __due?: string };
  const due = (olds as { __due?: string }).__due;
  return { ...rest, [date]: ignored[date], ...(due !== undefined && { __due: due }) } as unknown as Inputs;
}
