import type { Values } from "../../../lifecycle.js";
import { contains, formatRange, parseCidr } from "../../../cidr.js";
import { isKnownText } from "../rehearse.js";
import {
  because,
  dueReason,
  lostReason,
  possessive,
  stored,
  tell,
  type Facts,
  type Telling,
  type Words,
} from "./facts.js";

/** Reads a policy as one that allows its range, which is what the interface's name for it says. */
export const networkPolicyWords: Words = {
  sent({ body }, facts) {
    const why = because(dueReason(facts), lostReason(facts));
    const before = facts.lost ? {} : (facts.before ?? {});
    const told = [...range(body.source_cidr, before, facts, why), ...title(body.name, before, facts), ...left(facts)];
    if (told.length > 0) return told;
    return [tell(`${facts.name} is set again${why}: that undoes what was changed elsewhere`)];
  },

  nothingSent(facts) {
    if (facts.verb === "delete") return [tell(`destroy leaves ${facts.name} as last set`, "leaves things behind")];
    const told = left(facts);
    return told.length > 0 ? told : [stored(facts)];
  },

  unreadable: ["narrows access", "widens access"],
};

function range(cidr: unknown, before: Values, { name }: Facts, why: string): Telling[] {
  if (cidr === undefined) return [];
  const after = typeof cidr === "string" ? parseCidr(cidr) : undefined;
  if (!after) {
    return [
      tell(`${name} may be reached from a range that cannot be seen here${why}`, "narrows access", "widens access"),
    ];
  }
  const reached = `${name} may be reached from ${formatRange(after)}`;
  const today = typeof before.sourceCidr === "string" ? parseCidr(before.sourceCidr) : undefined;
  if (!today) {
    const text = `${reached}${why}: which range that replaces is not known`;
    return [tell(text, "narrows access", "widens access")];
  }
  if (formatRange(today) === formatRange(after)) return [];
  if (contains(today, after)) {
    return [tell(`${reached}, ${fraction(after.prefix - today.prefix)} of today's range${why}`, "narrows access")];
  }
  if (contains(after, today)) {
    return [tell(`${reached}, ${multiple(today.prefix - after.prefix)} today's range${why}`, "widens access")];
  }
  const text = `${reached} and no longer from ${formatRange(today)}, which is another range${why}`;
  return [tell(text, "narrows access", "widens access")];
}

function title(after: unknown, before: Values, { name }: Facts): Telling[] {
  if (after === undefined || after === before.name) return [];
  if (!isKnownText(after)) return [tell(`${name} gets a name that cannot be seen here`)];
  return [
    tell(`${name} is given the name "${after}"${isKnownText(before.name) ? ` instead of "${before.name}"` : ""}`),
  ];
}

/** Fields that are no longer declared. */
function left({ verb, name, before, inputs }: Facts): Telling[] {
  if (verb !== "update" || before?.sourceCidr === undefined || inputs.sourceCidr !== undefined) return [];
  return [tell(`${possessive(name)} range is no longer managed and stays as last set`, "leaves things behind")];
}

/** Of a range whose prefix is so many bits longer. */
function fraction(bits: number): string {
  const names = ["", "half", "a quarter", "an eighth"];
  return names[bits] ?? (bits <= 16 ? `1/${2 ** bits}` : "a tiny part");
}

function multiple(bits: number): string {
  if (bits === 1) return "twice";
  return bits <= 16 ? `${2 ** bits} times` : "many times";
}
