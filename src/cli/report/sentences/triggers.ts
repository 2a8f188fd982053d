import { isDeepStrictEqual } from "node:util";
import type { Values } from "../../../resources/lifecycle.js";
import { hiddenAs } from "../secrets.js";

/** More triggers than these are not named: a sentence has to end. */
const maxTriggers = 4;

export interface TriggerReasons {
  readonly changed: string | undefined;
  /** Whether no change can be seen for sure. */
  readonly hidden: boolean;
}

/** Which triggers were added, removed and changed; else which of them are secret or not known yet. */
export function triggerReasons(before: unknown, after: unknown): TriggerReasons {
  const hidden = hiddenAs(after);
  if (isDeepStrictEqual(before, after) && hidden === undefined) return { changed: undefined, hidden: false };
  const [old, fresh] = [membersOf(before), membersOf(after)];
  const both = Object.keys(fresh).filter((key) => key in old);
  const isSeen = (key: string) => hiddenAs(fresh[key]) === undefined;
  const visible = [
    // Of triggers that are secret as a whole, nobody knows which there were.
    ...([before, after].some((triggers) => typeof triggers === "string")
      ? []
      : [named(keysBeyond(fresh, old), "added"), named(keysBeyond(old, fresh), "removed")]),
    named(
      both.filter((key) => isSeen(key) && !isDeepStrictEqual(old[key], fresh[key])),
      "changed",
    ),
  ].filter((reason) => reason !== undefined);
  if (visible.length > 0) return { changed: visible.join(", "), hidden: false };
  if (hidden === undefined) return { changed: "triggers changed", hidden: false };
  const unseen = Object.keys(fresh).filter((key) => !isSeen(key));
  const are = hidden === "a secret value" ? "are secret values" : `are ${hidden}`;
  return { changed: named(unseen, unseen.length === 1 ? `is ${hidden}` : are) ?? `triggers ${are}`, hidden: true };
}

function keysBeyond(values: Values, others: Values): string[] {
  return Object.keys(values).filter((key) => !(key in others));
}

function named(keys: readonly string[], what: string): string | undefined {
  if (keys.length === 0) return undefined;
  const names = keys.slice(0, maxTriggers).join(", ") + (keys.length > maxTriggers ? ", …" : "");
  return `${keys.length === 1 ? "trigger" : "triggers"} ${names} ${what}`;
}

function membersOf(value: unknown): Values {
  return typeof value === "object" && value !== null ? (value as Values) : {};
}
