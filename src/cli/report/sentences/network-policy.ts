import { contains, formatRange, parseCidr, type Range } from "../../../cidr.js";
import type { Values } from "../../../resources/lifecycle.js";
import { hiddenAs } from "../secrets.js";
import {
  because,
  dueReason,
  lostReason,
  possessive,
  sentence,
  tense,
  toldByRequest,
  undoing,
  unlessUnattended,
  type Edit,
  type EditSentences,
  type Facts,
  type Sentence,
  type Sentences,
} from "./sentence.js";
import { periodWords, unattendedWords } from "./schedule.js";

/** Reads a policy as one that allows its range, which is what the interface's name for it says. */
export const networkPolicySentences: Sentences = {
  sent({ body }, facts) {
    const why = because(dueReason(facts), lostReason(facts));
    const before = facts.lost ? {} : (facts.before ?? {});
    const sentences = [
      ...range(body.source_cidr, before, facts, why),
      ...title(body.name, before, facts),
      ...left(facts),
    ];
    const isAgain = facts.verb !== "delete" && (sentences.length === 0 || facts.due !== undefined);
    const isRangeChange = sentences.some(
      ({ risks }) => risks.includes("narrows access") || risks.includes("widens access"),
    );
    return isAgain && !isRangeChange ? [again(body.source_cidr !== undefined, facts, why), ...sentences] : sentences;
  },

  nothingSent(facts) {
    const { verb, name, before } = facts;
    if (verb !== "delete") return left(facts);
    const last = typeof before?.sourceCidr === "string" && hiddenAs(before.sourceCidr) === undefined;
    const stays = tense(
      facts,
      "is no longer managed and stays as last set",
      "was no longer managed and stayed as last set",
    );
    return [sentence(`${name} ${stays}${last ? ` (${String(before.sourceCidr)})` : ""}`, "leaves things behind")];
  },

  edits: {
    networkPolicyId: toldByRequest,
    name: toldByRequest,
    sourceCidr: toldByRequest,
    mustInclude: guardWords("a range that leaves it out"),
    mustExclude: guardWords("a range that reaches it"),
    reassertAfter: periodWords(
      "reassertOn",
      ({ name }) => name,
      () => "sent again",
    ),
    reassertUnattended: unattendedWords,
  },

  destroy(onDelete, facts) {
    const will = tense(facts, "will", "is to");
    const hidden = hiddenAs(onDelete);
    if (hidden) return sentence(`what destroy ${will} do to ${facts.name} is ${hidden}`, "weakens a guard");
    const { name, sourceCidr } = (typeof onDelete === "object" ? (onDelete ?? {}) : {}) as Values;
    const after = typeof sourceCidr === "string" ? parseCidr(sourceCidr) : undefined;
    const called = typeof name === "string" ? ` the name "${name}"` : "";
    if (after) {
      const and = called === "" ? "" : `, and give the policy${called}`;
      const text = `${facts.name}: destroy ${will} make the organization admit ${rangeName(after)}${and}`;
      return sentence(text, "weakens a guard");
    }
    if (called !== "") return sentence(`${facts.name}: destroy ${will} give it${called}`);
    return sentence(`${facts.name}: destroy ${will} leave it as last set`);
  },

  renameSaves: "the request",

  unreadable: ["narrows access", "widens access"],
};

function range(cidr: unknown, before: Values, facts: Facts, why: string): Sentence[] {
  if (cidr === undefined) return [];
  const subject = `${facts.name}: the organization ${tense(facts, "admits", "was set to admit")}`;
  const after = typeof cidr === "string" ? parseCidr(cidr) : undefined;
  if (!after) {
    const hidden = hiddenAs(facts.inputs.sourceCidr) ?? "not known yet";
    const text = `${facts.name}: which range the organization ${tense(facts, "admits", "was set to admit")} is ${hidden}${why}`;
    return [sentence(`${text}${lockout(facts)}`, "narrows access", "widens access")];
  }
  const admitted = `${subject} ${rangeName(after)}`;
  const today = typeof before.sourceCidr === "string" ? parseCidr(before.sourceCidr) : undefined;
  if (!today) {
    const unknown = tense(facts, "which range that replaces is not known", "which range that replaced is not known");
    return [sentence(`${admitted}${why}: ${unknown}${lockout(facts)}`, "narrows access", "widens access")];
  }
  const former = tense(facts, "today's range", "the range before");
  if (contains(today, after) && contains(after, today)) return [];
  if (contains(today, after)) {
    const text = `${admitted}, ${fraction(after.prefix - today.prefix)} of ${former}${why}`;
    return [sentence(`${text}${lockout(facts)}`, "narrows access")];
  }
  if (contains(after, today)) {
    const size = after.prefix === 0 ? "" : `, ${multiple(today.prefix - after.prefix)} ${former}`;
    const instead = after.prefix === 0 ? ` instead of ${formatRange(today)}` : "";
    return [sentence(`${admitted}${instead}${size}${why}`, "widens access")];
  }
  const text = `${admitted} and no longer ${rangeName(today)}, which is another range${why}`;
  return [sentence(`${text}${lockout(facts)}`, "narrows access", "widens access")];
}

/** Without `mustInclude` nothing has looked whether the pipeline is still let in. */
function lockout(facts: Facts): string {
  const { mustInclude } = facts.inputs;
  if (facts.verb === "delete" || (Array.isArray(mustInclude) && mustInclude.length > 0)) return "";
  const may = tense(facts, "this may lock this pipeline out", "this may have locked this pipeline out");
  return `; ${may}, as no \`mustInclude\` names its address`;
}

function again(hasRange: boolean, facts: Facts, why: string): Sentence {
  const text = `${facts.name} ${tense(facts, "is", "was")} set again${why}: ${undoing(facts)}`;
  return sentence(text, ...(hasRange ? unlessUnattended(facts, "narrows access", "widens access") : []));
}

function title(after: unknown, before: Values, facts: Facts): Sentence[] {
  const { name, inputs } = facts;
  if (after === undefined || after === before.name) return [];
  const gets = tense(facts, "is given", "was given");
  const hidden = facts.verb === "delete" ? undefined : hiddenAs(inputs.name);
  if (hidden !== undefined || typeof after !== "string") {
    return [sentence(`${name} ${gets} a name that is ${hidden ?? "not known yet"}`)];
  }
  const instead = typeof before.name === "string" && !hiddenAs(before.name) ? ` instead of "${before.name}"` : "";
  return [sentence(`${name} ${gets} the name "${after}"${instead}`)];
}

/** Fields that are no longer declared. */
function left(facts: Facts): Sentence[] {
  const { verb, name, before, inputs } = facts;
  if (verb !== "update") return [];
  const [is, stays] = [tense(facts, "is", "was"), tense(facts, "stays", "stayed")];
  return (["sourceCidr", "name"] as const)
    .filter((field) => before?.[field] !== undefined && inputs[field] === undefined)
    .map((field) => {
      const what = field === "name" ? "name" : "range";
      const value = before?.[field];
      const last = typeof value === "string" && hiddenAs(value) === undefined ? ` (${value})` : "";
      const text = `${possessive(name)} ${what} ${is} no longer managed and ${stays} as last set${last}`;
      return sentence(text, "leaves things behind");
    });
}

/** More addresses than these are not named: a sentence has to end. */
const maxNamed = 4;

/**
 * An address that has to be in the range, or out of it, and no longer has to be, was there to prevent something.
 *
 * @param slips the range that is let through then, as "a range that leaves it out"
 */
function guardWords(slips: string): EditSentences {
  return ({ property, old, fresh }: Edit, facts) => {
    const subject = `${facts.name}: \`${property}\``;
    const hidden = hiddenAs(fresh);
    if (hidden) {
      const text = `${facts.name}: what \`${property}\` ${tense(facts, "names", "named")} is ${hidden}`;
      return [sentence(text, "weakens a guard")];
    }
    const [before, after] = [listOf(old), listOf(fresh)];
    const removed = before.filter((address) => !after.includes(address));
    const added = after.filter((address) => !before.includes(address));
    const isHidden = hiddenAs(old) !== undefined;
    const [names, isRefused] = [
      tense(facts, "names", "named"),
      tense(facts, "is no longer refused", "was no longer refused"),
    ];
    return [
      ...(isHidden ? [sentence(`${subject} named a value that cannot be seen here`, "weakens a guard")] : []),
      ...(removed.length > 0
        ? [sentence(`${subject} no longer ${names} ${listed(removed)}: ${slips} ${isRefused}`, "weakens a guard")]
        : []),
      ...(added.length > 0 ? [sentence(`${subject} ${names} ${listed(added)} from now on`)] : []),
    ];
  };
}

function listOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item) => typeof item === "string" && hiddenAs(item) === undefined) as string[];
}

function listed(addresses: readonly string[]): string {
  return addresses.slice(0, maxNamed).join(", ") + (addresses.length > maxNamed ? ", …" : "");
}

function rangeName(range: Range): string {
  return range.prefix === 0 ? `the whole internet (${formatRange(range)})` : formatRange(range);
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
