import { retentionResources } from "../../../interface.js";
import { because, dueReason, lostReason, stored, tell, type Facts, type Telling, type Words } from "./facts.js";

interface Setting {
  readonly retentionDays: number;
  readonly enabled: boolean;
}

/** Data that is deleted does not come back, so whatever may delete some says so. */
export const retentionPolicyWords: Words = {
  sent({ body }, facts) {
    const kind = kindOf(facts);
    const after = settingOf({ retentionDays: body.retention_days, enabled: body.enabled });
    const why = because(dueReason(facts), lostReason(facts));
    if (!after)
      return [tell(`${kind} are kept as long as is not known yet${why}: data may be deleted`, "deletes data")];
    const before = facts.lost ? undefined : settingOf(facts.before ?? {});
    return [before ? changed(kind, before, after, why) : replaced(kind, after, why)];
  },

  nothingSent(facts) {
    if (facts.verb !== "delete") return [stored(facts)];
    return [tell(`destroy leaves ${kindOf(facts)} as last set`, "leaves things behind")];
  },

  unreadable: ["deletes data"],
};

/** What was kept until now is not known. */
function replaced(kind: string, { retentionDays, enabled }: Setting, why: string): Telling {
  if (!enabled) return turnedOff(kind, why);
  const text = `${kind} are kept ${days(retentionDays)}${why}: what has been kept longer until now may be deleted`;
  return tell(text, "deletes data");
}

function changed(kind: string, before: Setting, after: Setting, why: string): Telling {
  const [from, to] = [before.retentionDays, after.retentionDays];
  const deleted = `${kind} older than ${days(to)} will be deleted`;
  if (before.enabled && !after.enabled) return turnedOff(kind, why);
  if (!before.enabled && after.enabled) {
    return tell(`the retention policy of ${kind} is turned on, with ${days(to)}${why}: ${deleted}`, "deletes data");
  }
  if (from === to) return tell(`${kind} are set to ${days(to)} again${why}: that undoes what was changed elsewhere`);
  const text = after.enabled
    ? `${kind} are kept ${to} instead of ${days(from)}${why}`
    : `the retention policy of ${kind} stays off, with ${to} instead of ${days(from)}${why}`;
  if (to > from) return tell(text);
  return tell(after.enabled ? `${text}: ${deleted}` : `${text}: data may be deleted`, "deletes data");
}

/** The interface does not say what a policy that is off means; on some platforms the plan's own limit holds then. */
function turnedOff(kind: string, why: string): Telling {
  return tell(
    `the retention policy of ${kind} is turned off${why}: the platform's own limit holds then and may delete data`,
    "deletes data",
  );
}

function settingOf({ retentionDays, enabled }: Readonly<Record<string, unknown>>): Setting | undefined {
  if (typeof retentionDays !== "number" || typeof enabled !== "boolean") return undefined;
  return { retentionDays, enabled };
}

function kindOf({ inputs, name }: Facts): string {
  return retentionResources.find((kind) => kind === inputs.resource) ?? `the data of ${name}`;
}

function days(count: number): string {
  return count === 1 ? "1 day" : `${count} days`;
}
