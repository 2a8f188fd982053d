import { contains, formatRange, parseCidr, type Range } from "../../../contract/cidr.js";
import type { Values } from "../../../resources/lifecycle.js";
import { hiddenAs, listed, membersOf } from "../text.js";
import {
  adoptedAs,
  currentIn,
  isUnconfirmed,
  leftAsSet,
  overwrites,
  sentence,
  unlessUnattended,
  whySent,
} from "./sentence.js";
import type { EditSentences, Facts, Sentence, Sentences } from "./sentence.js";
import { sendingSentences } from "./shared-inputs.js";

/** A policy is taken to admit its range, as its name in the API suggests. */
export const networkPolicySentences: Sentences = {
  sent({ body }, facts) {
    const why = whySent(facts);
    const before = currentIn(facts) ?? {};
    const ranges = rangeSentences(body.source_cidr, before, facts, why);
    const sentences = [...ranges, ...nameSentences(body.name, before, facts), ...undeclaredFields(facts)];
    const isAgain = facts.verb !== "delete" && (sentences.length === 0 || facts.due !== undefined);
    const isRangeChange = ranges.some(({ risks }) => risks.length > 0);
    return isAgain && !isRangeChange ? [sentAgain(body, before, facts, why), ...sentences] : sentences;
  },

  nothingSent(facts) {
    if (facts.verb === "create") return [adoptedAs(declaredIn(facts.inputs), facts, ...declaredFields(facts.inputs))];
    if (facts.verb !== "delete") return undeclaredFields(facts);
    return [leftAsSet(facts, "", lastValue(currentIn(facts)?.sourceCidr))];
  },

  edits: {
    networkPolicyId: "request",
    name: "request",
    sourceCidr: "request",
    mustInclude: guardSentences((addresses) => `nothing protects ${addresses} now`),
    mustExclude: guardSentences((addresses) => `nothing keeps out ${addresses} now`),
    ...sendingSentences("sent again"),
  },

  destroy(onDelete) {
    const { name, sourceCidr } = membersOf(onDelete);
    const after = rangeOf(sourceCidr);
    const range = after ? [`make the organization admit ${rangeName(after)}`] : [];
    const called = typeof name === "string" ? [`set the name "${name}"`] : [];
    const acts = [...range, ...called].join(" and ");
    return sentence(`destroy will ${acts || "leave it as last set"}`, ...(after ? (["weakens a guard"] as const) : []));
  },

  renameSaves: (_before, isAvoided) => (isAvoided ? ["avoid the request"] : []),

  unreadable: ["narrows access", "widens access"],
};

function rangeSentences(cidr: unknown, before: Values, facts: Facts, why: string): Sentence[] {
  if (cidr === undefined) return [];
  const both = (text: string): Sentence[] => [sentence(`${text}${lockout(facts)}`, "narrows access", "widens access")];
  const [old, after] = [rangeOf(before.sourceCidr), rangeOf(cidr)];
  if (!after) return both(`which range it admits is ${hiddenAs(facts.inputs.sourceCidr) ?? "not known yet"}${why}`);
  const admits = `admits ${rangeName(after)}`;
  if (!old) return both(`${admits}${why}; replaces ${replacedRange(facts)}`);
  const [isWithin, isAround] = [contains(old, after), contains(after, old)];
  if (isWithin && isAround) return [];
  if (isWithin) {
    const text = `${admits}, ${fraction(after.prefix - old.prefix)} of ${rangeName(old)}${why}`;
    return [sentence(`${text}${lockout(facts)}`, "narrows access")];
  }
  if (!isAround) return both(`${admits} and no longer ${rangeName(old)}, which is another range${why}`);
  const size = after.prefix === 0 ? " instead of" : `, ${multiple(old.prefix - after.prefix)}`;
  return [sentence(`${admits}${size} ${formatRange(old)}${why}`, "widens access")];
}

/** A range whose size cannot be compared. */
function replacedRange(facts: Facts): string {
  const adopted = isUnconfirmed(facts) ? rangeOf(facts.before?.sourceCidr) : undefined;
  if (!adopted || facts.moved) return "a range that is not known";
  return `a range that was adopted as ${rangeName(adopted)}, not confirmed`;
}

const declaredFields = (inputs: Values): string[] =>
  ["sourceCidr", "name"].filter((field) => inputs[field] !== undefined);

function declaredIn({ sourceCidr, name }: Values): string {
  const range = rangeOf(sourceCidr);
  const called = typeof name === "string" && !hiddenAs(name) ? [`the name "${name}"`] : [];
  return [...(range ? [rangeName(range)] : []), ...called].join(" and ") || "values that cannot be seen here";
}

/** Without `mustInclude`, nothing checks that the pipeline's address is in the range. */
function lockout({ verb, inputs: { mustInclude } }: Facts): string {
  if (verb === "delete" || (Array.isArray(mustInclude) && mustInclude.length > 0)) return "";
  return "; may lock this pipeline out, as no `mustInclude` names its address";
}

function sentAgain({ name, source_cidr }: Values, before: Values, facts: Facts, why: string): Sentence {
  const range = rangeOf(source_cidr);
  const isKept = typeof name === "string" && name === before.name && !hiddenAs(name);
  const values = [...(range ? [rangeName(range)] : []), ...(isKept ? [`the name "${name}"`] : [])].join(" and ");
  const risks = range ? unlessUnattended(facts, "narrows access", "widens access") : [];
  return sentence(`sends ${values || "its values"} again${why}; ${overwrites}`, ...risks);
}

function nameSentences(after: unknown, before: Values, facts: Facts): Sentence[] {
  if (after === undefined || after === before.name) return [];
  const hidden = facts.verb === "delete" ? undefined : hiddenAs(facts.inputs.name);
  if (hidden !== undefined || typeof after !== "string") {
    return [sentence(`sets a name that is ${hidden ?? "not known yet"}`)];
  }
  const instead = typeof before.name === "string" && !hiddenAs(before.name) ? ` instead of "${before.name}"` : "";
  return [sentence(`sets the name "${after}"${instead}`)];
}

/** Fields that are no longer declared. */
function undeclaredFields(facts: Facts): Sentence[] {
  const { verb, before, inputs } = facts;
  if (verb !== "update") return [];
  const fields = { sourceCidr: "range", name: "name" } as const;
  return (Object.keys(fields) as (keyof typeof fields)[])
    .filter((field) => before?.[field] !== undefined && inputs[field] === undefined)
    .map((field) => leftAsSet(facts, `${fields[field]} `, lastValue(currentIn(facts)?.[field])));
}

const lastValue = (value: unknown): string =>
  typeof value === "string" && hiddenAs(value) === undefined ? ` (${value})` : "";

/**
 * Sentences about `mustInclude` or `mustExclude`. Each address in it prevents a mistake, so a removed one weakens a guard.
 *
 * @param effect of removing these addresses
 */
function guardSentences(effect: (addresses: string) => string): EditSentences {
  return ({ property, old, fresh }) => {
    const input = `\`${property}\``;
    const guard = (text: string): Sentence => sentence(text, "weakens a guard");
    const hidden = hiddenAs(fresh);
    if (hidden) return [guard(`what ${input} names is ${hidden}`)];
    const [before, after] = [addressesIn(old), addressesIn(fresh)];
    const removed = before.filter((address) => !after.includes(address));
    const added = after.filter((address) => !before.includes(address));
    return [
      ...(hiddenAs(old) ? [guard(`${input} replaces a value that cannot be seen here`)] : []),
      ...(removed.length > 0 ? [guard(`${input} no longer names ${listed(removed)}: ${effect(listed(removed))}`)] : []),
      ...(added.length > 0 ? [sentence(`${input} names ${listed(added)} from now on`)] : []),
    ];
  };
}

function addressesIn(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item) => typeof item === "string" && hiddenAs(item) === undefined) as string[];
}

const rangeOf = (cidr: unknown): Range | undefined => (typeof cidr === "string" ? parseCidr(cidr) : undefined);

const rangeName = (range: Range): string =>
  range.prefix === 0 ? `the whole internet (${formatRange(range)})` : formatRange(range);

/** The size of a range, compared with one whose prefix is shorter by `bits`. */
function fraction(bits: number): string {
  const names = ["", "half", "a quarter", "an eighth"];
  return names[bits] ?? (bits <= 16 ? `1/${2 ** bits}` : "a tiny part");
}

function multiple(bits: number): string {
  if (bits === 1) return "twice";
  return bits <= 16 ? `${2 ** bits} times` : "many times";
}
