import { contains, formatRange, parseCidr, type Range } from "../../contract/cidr.js";
import type { Values } from "../../resources/lifecycle.js";
import { hiddenAs, listed, membersOf } from "../text.js";
import {
  currentIn,
  leftAsSet,
  overwriting,
  possessive,
  sentence,
  tense,
  unlessUnattended,
  verbsIn,
  whySent,
} from "./sentence.js";
import type { EditSentences, Facts, Sentence, Sentences } from "./sentence.js";
import { reassertSentences } from "./shared-inputs.js";

/** A policy is taken to admit its range, as its name in the API suggests. */
export const networkPolicySentences: Sentences = {
  sent({ body }, facts) {
    const why = whySent(facts);
    const before = currentIn(facts) ?? {};
    const ranges = rangeSentences(body.source_cidr, before, facts, why);
    const sentences = [...ranges, ...nameSentences(body.name, before, facts), ...undeclaredFields(facts)];
    const isAgain = facts.verb !== "delete" && (sentences.length === 0 || facts.due !== undefined);
    const isRangeChange = ranges.some(({ risks }) => risks.length > 0);
    return isAgain && !isRangeChange ? [setAgain(body, before, facts, why), ...sentences] : sentences;
  },

  nothingSent(facts) {
    if (facts.verb !== "delete") return undeclaredFields(facts);
    return [leftAsSet(facts, facts.name, lastValue(currentIn(facts)?.sourceCidr))];
  },

  edits: {
    networkPolicyId: "request",
    name: "request",
    sourceCidr: "request",
    mustInclude: guardSentences("a range that leaves it out"),
    mustExclude: guardSentences("a range that reaches it"),
    ...reassertSentences(({ name }) => name, "sent again"),
  },

  destroy(onDelete, facts) {
    const { name, sourceCidr } = membersOf(onDelete);
    const destroy = `${facts.name}: destroy ${verbsIn(facts).will}`;
    const after = rangeOf(sourceCidr);
    const called = typeof name === "string" ? ` the name "${name}"` : "";
    if (after) {
      const and = called === "" ? "" : `, and give the policy${called}`;
      return sentence(`${destroy} make the organization admit ${rangeName(after)}${and}`, "weakens a guard");
    }
    return sentence(called === "" ? `${destroy} leave it as last set` : `${destroy} give it${called}`);
  },

  renameSaves: (_before, isAvoided) => (isAvoided ? ["avoid the request"] : []),

  unreadable: ["narrows access", "widens access"],
};

function rangeSentences(cidr: unknown, before: Values, facts: Facts, why: string): Sentence[] {
  if (cidr === undefined) return [];
  const admits = `the organization ${tense(facts, "admits", "was set to admit")}`;
  const both = (text: string): Sentence[] => [sentence(`${text}${lockout(facts)}`, "narrows access", "widens access")];
  const [today, after] = [rangeOf(before.sourceCidr), rangeOf(cidr)];
  if (!after) {
    const hidden = hiddenAs(facts.inputs.sourceCidr) ?? "not known yet";
    return both(`${facts.name}: which range ${admits} is ${hidden}${why}`);
  }
  const admitted = `${facts.name}: ${admits} ${rangeName(after)}`;
  if (!today)
    return both(`${admitted}${why}: it is not known which range that ${tense(facts, "replaces", "replaced")}`);
  const former = tense(facts, "today's range", "the range before");
  const [isWithin, isAround] = [contains(today, after), contains(after, today)];
  if (isWithin && isAround) return [];
  if (isWithin) {
    const text = `${admitted}, ${fraction(after.prefix - today.prefix)} of ${former}${why}`;
    return [sentence(`${text}${lockout(facts)}`, "narrows access")];
  }
  if (isAround) {
    const size = `, ${multiple(today.prefix - after.prefix)} ${former}`;
    const than = after.prefix === 0 ? ` instead of ${formatRange(today)}` : size;
    return [sentence(`${admitted}${than}${why}`, "widens access")];
  }
  return both(`${admitted} and no longer ${rangeName(today)}, which is another range${why}`);
}

/** Without `mustInclude`, nothing checks that the pipeline's address is in the range. */
function lockout(facts: Facts): string {
  const { mustInclude } = facts.inputs;
  if (facts.verb === "delete" || (Array.isArray(mustInclude) && mustInclude.length > 0)) return "";
  const may = tense(facts, "this may lock this pipeline out", "this may have locked this pipeline out");
  return `; ${may}, as no \`mustInclude\` names its address`;
}

function setAgain({ name, source_cidr }: Values, before: Values, facts: Facts, why: string): Sentence {
  const range = rangeOf(source_cidr);
  const kept = typeof name === "string" && name === before.name && !hiddenAs(name) ? `the name "${name}"` : "";
  const and = kept === "" ? "" : `, with ${kept}`;
  const again = range ? `set to ${rangeName(range)} again${and}` : kept === "" ? "set again" : `given ${kept} again`;
  const text = `${facts.name} ${verbsIn(facts).is} ${again}${why}: ${overwriting(facts)}`;
  return sentence(text, ...(range ? unlessUnattended(facts, "narrows access", "widens access") : []));
}

function nameSentences(after: unknown, before: Values, facts: Facts): Sentence[] {
  if (after === undefined || after === before.name) return [];
  const gets = `${facts.name} ${verbsIn(facts).is} given`;
  const hidden = facts.verb === "delete" ? undefined : hiddenAs(facts.inputs.name);
  if (hidden !== undefined || typeof after !== "string") {
    return [sentence(`${gets} a name that is ${hidden ?? "not known yet"}`)];
  }
  const instead = typeof before.name === "string" && !hiddenAs(before.name) ? ` instead of "${before.name}"` : "";
  return [sentence(`${gets} the name "${after}"${instead}`)];
}

/** Fields that are no longer declared. */
function undeclaredFields(facts: Facts): Sentence[] {
  const { verb, name, before, inputs } = facts;
  if (verb !== "update") return [];
  const fields = [
    ["sourceCidr", "range"],
    ["name", "name"],
  ] as const;
  return fields
    .filter(([field]) => before?.[field] !== undefined && inputs[field] === undefined)
    .map(([field, what]) => leftAsSet(facts, `${possessive(name)} ${what}`, lastValue(currentIn(facts)?.[field])));
}

const lastValue = (value: unknown): string =>
  typeof value === "string" && hiddenAs(value) === undefined ? ` (${value})` : "";

/**
 * Sentences about `mustInclude` or `mustExclude`. Each address in it prevents a mistake, so a removed one weakens a guard.
 *
 * @param mistake the range that is no longer refused, such as "a range that leaves it out"
 */
function guardSentences(mistake: string): EditSentences {
  return ({ property, old, fresh }, facts) => {
    const guard = (text: string): Sentence => sentence(`${facts.name}: ${text}`, "weakens a guard");
    const names = tense(facts, "names", "named");
    const hidden = hiddenAs(fresh);
    if (hidden) return [guard(`what \`${property}\` ${names} is ${hidden}`)];
    const [before, after] = [addressesIn(old), addressesIn(fresh)];
    const removed = before.filter((address) => !after.includes(address));
    const added = after.filter((address) => !before.includes(address));
    const refused = `${mistake} ${verbsIn(facts).is} no longer refused`;
    const sentences: Sentence[] = [];
    if (hiddenAs(old)) sentences.push(guard(`\`${property}\` named a value that cannot be seen here`));
    if (removed.length > 0) sentences.push(guard(`\`${property}\` no longer ${names} ${listed(removed)}: ${refused}`));
    if (added.length > 0)
      sentences.push(sentence(`${facts.name}: \`${property}\` ${names} ${listed(added)} from now on`));
    return sentences;
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
