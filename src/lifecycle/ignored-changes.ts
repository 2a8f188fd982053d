/** The engine's option `ignoreChanges`, which puts the old values of computed inputs among the user's. */
import type { Values } from "../values/any.js";
import { ignoredKey } from "./effects/guards.js";
import type { Lifecycle } from "./lifecycle.js";
import type { OrganizationScoped } from "./object.js";
import type { Due } from "./schedule.js";

/** Ignored inputs stay as they were, except the address: the provider's settings say where requests are sent. */
export function withIgnoredChanges<Inputs extends OrganizationScoped, State extends OrganizationScoped>(
  lifecycle: Lifecycle<Inputs, State>,
): Lifecycle<Inputs, State> {
  const { date } = lifecycle;
  return {
    ...lifecycle,
    check(ctx, olds, news) {
      const isIgnored = ([key, value]: [string, unknown]): boolean =>
        ["organization", "address", date].includes(key) && value === (olds as Values)[key];
      const ignored: Values = Object.fromEntries(Object.entries(news).filter(isIgnored));
      const written: Values = Object.fromEntries(Object.entries(news).filter((entry) => !isIgnored(entry)));
      const { organization } = ignored;
      const checked = lifecycle.check(typeof organization === "string" ? { ...ctx, organization } : ctx, olds, written);
      if (!(date in ignored)) return checked;
      const { __due, ...inputs } = checked.inputs as Inputs & Due;
      // What was due stays too, so that an ignored date is never due.
      const { __due: due } = olds as Due;
      const kept = { ...inputs, [date]: ignored[date], ...(due !== undefined && { __due: due }), [ignoredKey]: [date] };
      return { ...checked, inputs: kept as unknown as Inputs };
    },
  };
}
