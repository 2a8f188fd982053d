/** What an organization file may not have although it is YAML: endless aliases, and names and values that YAML does not read as they are written. */
import { isAlias, isMap, isPair, isScalar, isSeq, visit, type Document, type LineCounter, type Scalar } from "yaml";
import { accepts } from "../schema/problems.js";
import { mostSimilar } from "../schema/suggestion.js";
import { parseJson } from "../values/any.js";
import { problem, type Diagnostic } from "../values/diagnostic.js";
import { placed } from "../yaml/document.js";
import { nameOf, startOf } from "../yaml/nodes.js";
import { organizationSchema } from "./schema.js";

/**
 * Whether a message may show this key. The file may be any file, with passwords in it, so messages repeat nothing of it but the sections of an
 * organization file, and below them what can be a name. What is wrong below a key that is not shown is reported once that key is correct.
 *
 * @param depth 0 for a section
 */
export function isShown(key: PropertyKey, depth: number): boolean {
  const text = String(key);
  if (depth > 0) return /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u.test(text);
  const { shape } = organizationSchema;
  return Object.hasOwn(shape, text) || mostSimilar(text, Object.keys(shape)) !== undefined;
}

/** The problems of aliases that the library reads as an endless value, or of which it does not say the place. */
export function aliasProblems(document: Document.Parsed, lines: LineCounter): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const anchors = new Map<string, unknown>();
  visit(document, {
    Node(_key, node, ancestors) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
        return;
      }
      const target = anchors.get(node.source);
      if (target === undefined || ancestors.some((each) => each === target))
        problems.push(placed(problem("alias", noAnchor), lines, startOf(node) ?? 0));
    },
  });
  return problems;
}

const noAnchor = "the alias here has no anchor before it: define the anchor, and end its value, before the alias";

/** The problems of the names. JavaScript would drop an entry `__proto__` and the first of two entries with one name, and use a map's text as a name. */
export function nameProblems(document: Document.Parsed, lines: LineCounter): Diagnostic[] {
  const problems: Diagnostic[] = [];
  visit(document, {
    Map(_key, map, ancestors) {
      const seen = new Map<string, number>();
      const path = ancestors.flatMap((each) => (isPair(each) ? [nameOf(each.key) ?? ""] : []));
      for (const { key } of map.items) {
        const name = nameOf(key);
        const offset = startOf(key) ?? startOf(map) ?? 0;
        const first = name === undefined ? undefined : seen.get(name);
        const found =
          name !== undefined && first !== undefined
            ? problem(
                "duplicate-name",
                `${[...path, name].every(isShown) ? name : "a name"} appears twice, ${linesText([first, offset], lines)}`,
              )
            : nameProblem(name, key);
        if (found) problems.push(placed(found, lines, offset));
        if (name !== undefined && first === undefined) seen.set(name, offset);
      }
    },
  });
  return problems;
}

/** Whether YAML reads a name as it is written. It reads ~, 0x10 and 1.10 as null, 16 and 1.1. */
const isAsWritten = (key: unknown): boolean =>
  !isScalar(key) || typeof key.value === "string" || key.source === String(key.value);

const rewrittenName = "the name here is not what YAML reads: put it in quotes";

function linesText(offsets: readonly number[], lines: LineCounter): string {
  const [first, second] = offsets.map((offset) => lines.linePos(offset).line);
  return first === second ? `line ${first}` : `lines ${first} and ${second}`;
}

function nameProblem(name: string | undefined, key: unknown): Diagnostic | undefined {
  if (name === undefined) return problem("invalid-name", "a name is text, and this one is a map, a list or an alias");
  if (name === "__proto__") return problem("reserved-name", "__proto__: cannot be a name here, choose another");
  if (name === "<<" && isScalar(key) && key.type === "PLAIN") return problem("invalid-name", mergeKey);
  return isAsWritten(key) ? undefined : problem("rewritten-value", rewrittenName);
}

const mergeKey = "<<: merge keys are not read: write the values out, or let an alias stand for the whole entry";

/**
 * Values that YAML does not read as they are written: 0x10 is 16, 0365 is 365 to one reader and 245 to another, and 1.1 and 1.10 are the
 * same trigger.
 */
export function rewrittenValues(node: unknown, path: readonly string[] = []): Diagnostic[] {
  if (isMap(node)) return node.items.flatMap(({ key, value }) => rewrittenValues(value, [...path, nameOf(key) ?? ""]));
  if (isSeq(node)) return node.items.flatMap((item, index) => rewrittenValues(item, [...path, String(index)]));
  // Only the third key is the property: an entry may be called "triggers" too.
  const isTrigger = path[2] === "triggers";
  if (!isRewritten(node) || (typeof node.value === "boolean" && !isTrigger)) return [];
  const advice = accepts(organizationSchema, path, node.source) ? "put it in quotes" : "write plain digits";
  return [problem("rewritten-value", `YAML reads this as another value: ${advice}`, path)];
}

function isRewritten(node: unknown): node is Scalar {
  return isScalar(node) && ["number", "boolean"].includes(typeof node.value) && node.source !== String(node.value);
}

/** What to write where the value would be right with quotes, or without them; empty otherwise. `isRight` judges another value in its place. */
export const quotesHint = (node: unknown, isRight: (other: unknown) => boolean): string =>
  isScalar(node) ? scalarHint(node, isRight) : colonHint(node, isRight);

/** YAML reads an IPv6 address that ends with a colon as a map with that one name. */
function colonHint(node: unknown, isRight: (other: unknown) => boolean): string {
  const [pair, ...others] = isMap(node) ? node.items : [];
  const isOne = pair !== undefined && others.length === 0 && startOf(pair.value) === undefined;
  return isOne && isRight(`${nameOf(pair.key) ?? ""}:`)
    ? "; YAML reads a colon at the end as a map: put it in quotes"
    : "";
}

function scalarHint({ value, source }: Scalar, isRight: (other: unknown) => boolean): string {
  if (typeof value === "number" && isRight(source))
    return "; YAML reads this one as a number, which loses zeros and digits: put it in quotes";
  const plain = typeof value === "string" ? parseJson(value) : undefined;
  return typeof plain !== "object" && plain !== undefined && isRight(plain) ? "; remove the quotes" : "";
}
