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
      const { kept, written } = withoutKept(lifecycle, olds, news);
      const keptContext = typeof kept.organization === "string" ? { ...ctx, organization: kept.organization } : ctx;
      const checked = lifecycle.check(keptContext, olds, written);
      return { ...checked, inputs: withKeptDate(lifecycle, olds, kept, checked.inputs) };
    },
  };
}

/**
 * With `ignoreChanges`, the engine puts old computed inputs among the user's. They are kept, except the address, because the
 * provider's settings say where requests are sent.
 */
function withoutKept({ date }: Pick<Lifecycle, "date">, olds: Partial<OrganizationScoped>, news: Values) {
  const isKept = (key: string): boolean =>
    ["organization", "address", date].includes(key) && news[key] === (olds as Values)[key];
  const only = (wanted: boolean): Values =>
    Object.fromEntries(Object.entries(news).filter(([key]) => isKept(key) === wanted));
  return { kept: only(true), written: only(false) };
}

/** A kept date is never due. */
function withKeptDate<Inputs extends OrganizationScoped>(
  { date }: Pick<Lifecycle, "date">,
  olds: Partial<Inputs>,
  kept: Values,
  inputs: Inputs,
): Inputs {
  if (!(date in kept)) return inputs;
  const { __due, ...rest } = inputs as Inputs & { __due?: string };
  const due = (olds as { __due?: string }).__due;
  return { ...rest, [date]: kept[date], ...(due !== undefined && { __due: due }) } as unknown as Inputs;
}
