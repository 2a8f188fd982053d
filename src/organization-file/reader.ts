/** Reads an organization file: its content, or its problems, each with a line, a column and the path of its key. */
import { LineCounter, isAlias, isMap, isPair, isScalar, isSeq, visit, type Document, type Scalar } from "yaml";
import { isObject, parseJson, tried } from "../values/any.js";
import { printable } from "../values/text.js";
import { Declarations, objectKey } from "../lifecycle/object.js";
import { accepts, firstProblems, problemsOf } from "../schema/problems.js";
import { byPlace, problem, propertyOf, type Diagnostic, type Position } from "../values/diagnostic.js";
import { parseYaml, placed, positionAt } from "../yaml/document.js";
import { problemsOfArgs } from "../lifecycle/dry-run.js";
import { resources } from "../resources/index.js";
import { childrenOf, sectionNames, type Child } from "./entries.js";
import { formerlyProblems } from "./formerly.js";
import { nameOf, Nodes, startOf } from "../yaml/nodes.js";
import { organizationSchema, type OrganizationFile } from "./schema.js";
import { mostSimilar } from "../schema/suggestion.js";

/** What a valid file declares. */
export interface DeclaredFile {
  readonly organization: OrganizationFile;
  /** Where the value at this path is. */
  readonly placeOf: (path: readonly string[]) => Position;
}

type FileResult = DeclaredFile | { readonly problems: readonly Diagnostic[] };

/** @param content the file's bytes, or its text */
export function readOrganizationFile(content: string | Uint8Array): FileResult {
  const text = typeof content === "string" ? content : tried(() => strictUtf8.decode(content));
  if (text === undefined) {
    const notUtf8 = problem("not-utf8", "the file is not UTF-8: save the file as UTF-8");
    return { problems: [{ ...notUtf8, place: { line: 1, column: 1 } }] };
  }
  const lines = new LineCounter();
  const result = readText(text, lines);
  if ("organization" in result) return result;
  const problems = firstProblems(result.problems.toSorted(byPlace));
  return { problems: problems.map((each) => ({ ...each, text: printable(each.text) })) };
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

function readText(text: string, lines: LineCounter): FileResult {
  const { document, problems: syntax } = parseYaml(text, lines);
  if (syntax.length > 0) return { problems: syntax };
  if (document.contents === null) {
    return { problems: [placed(problem("empty-file", "the file is empty: write {} to declare nothing"), lines, 0)] };
  }

  const nodes = new Nodes(document.contents);
  const unreadable = [...aliasProblems(document, lines), ...nameProblems(document, lines)];
  if (unreadable.length > 0) return { problems: unreadable };
  // Nested aliases make it too large for the library, which then throws.
  const value = tried(() => document.toJS() as unknown);
  if (value === undefined) return { problems: [placed(problem("alias", tooManyAliases), lines, 0)] };
  fillEmptySections(value, nodes);
  const all = organizationProblems(value, nodes, lines);
  if (all.length === 0)
    return { organization: value as OrganizationFile, placeOf: (path) => positionAt(lines, nodes.offsetOf(path)) };
  return {
    problems: all
      .filter(({ path = [] }) => path.slice(0, -1).every(isShown))
      .map((each) => placed(withSubject(each), lines, nodes.offsetOf(each.path ?? [], isOfKey(each)))),
  };
}

/** The problems of aliases that the library reads as an endless value, or of which it does not say the place. */
function aliasProblems(document: Document.Parsed, lines: LineCounter): Diagnostic[] {
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

/** Makes an empty map of each section that has nothing or only comments below it. */
function fillEmptySections(value: unknown, nodes: Nodes): void {
  if (!isObject(value)) return;
  for (const name of sectionNames) {
    const node = nodes.at([name]);
    if (isScalar(node) && node.value === null && node.source === "") value[name] = {};
  }
}

/**
 * Whether a message may show this key. The file may be any file, with passwords in it, so messages repeat nothing of it but the sections of an
 * organization file, and below them what can be a name. What is wrong below a key that is not shown is reported once that key is correct.
 *
 * @param depth 0 for a section
 */
function isShown(key: PropertyKey, depth: number): boolean {
  const text = String(key);
  if (depth > 0) return /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u.test(text);
  const { shape } = organizationSchema;
  return Object.hasOwn(shape, text) || mostSimilar(text, Object.keys(shape)) !== undefined;
}

/** The diagnostic with a subject that may be shown: the path, "this key" or "the file". */
function withSubject(diagnostic: Diagnostic): Diagnostic {
  const { path = [], isStrange, text } = diagnostic;
  if (isStrange) return { ...diagnostic, path: [], text: `this key ${text}` };
  const shown = path.every(isShown) ? path : path.slice(0, -1);
  return { ...diagnostic, path: shown, text: shown.length === 0 ? `the file ${text}` : text };
}

/** Whether the key itself is wrong, and not its value. */
const isOfKey = ({ code }: Diagnostic): boolean => code === "unknown-property" || code === "broken-name";

/** The problems of the values. Values are compared with each other only if each of them is valid individually. */
function organizationProblems(value: unknown, nodes: Nodes, lines: LineCounter): readonly Diagnostic[] {
  const problems = problemsOf(organizationSchema, value, "an organization file", Infinity);
  const reported = new Set(problems.map(propertyOf));
  const rewritten = rewrittenValues(nodes.at([])).filter((each) => !reported.has(propertyOf(each)));
  const others =
    problems.length > 0
      ? problems.map((each) => hinted(each, nodes))
      : problemsBetweenFields(nodes, lines, value as OrganizationFile);
  return [...others, ...rewritten];
}

const tooManyAliases = "the aliases expand to too many values: write out some of them";

/** The problems of the names. JavaScript would drop an entry `__proto__` and the first of two with one name, and take a map for its text. */
function nameProblems(document: Document.Parsed, lines: LineCounter): Diagnostic[] {
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
function rewrittenValues(node: unknown, path: readonly string[] = []): Diagnostic[] {
  if (isMap(node)) return node.items.flatMap(({ key, value }) => rewrittenValues(value, [...path, nameOf(key) ?? ""]));
  if (isSeq(node)) return node.items.flatMap((item, index) => rewrittenValues(item, [...path, String(index)]));
  // An entry may have this name too.
  const isTrigger = path[2] === "triggers";
  if (!isRewritten(node) || (typeof node.value === "boolean" && !isTrigger)) return [];
  const text = `YAML reads this as another value: ${isTrigger ? "put it in quotes" : "write plain digits"}`;
  return [problem("rewritten-value", text, path)];
}

function isRewritten(node: unknown): node is Scalar {
  return isScalar(node) && ["number", "boolean"].includes(typeof node.value) && node.source !== String(node.value);
}

/** The problems of a file whose values are valid individually. */
function problemsBetweenFields(nodes: Nodes, lines: LineCounter, organization: OrganizationFile): Diagnostic[] {
  const placedAt = (path: readonly string[]) =>
    ` (${path.join(".")}, line ${lines.linePos(nodes.offsetOf(path, true)).line})`;
  return sectionNames.flatMap((section) => {
    const children = childrenOf(section, "", organization, plainReader);
    return [
      ...children.flatMap((child) => problemsOfEntry(child, organization[section]?.[child.key])),
      ...duplicateIds(children),
      ...formerlyProblems(section, organization[section], placedAt),
    ];
  });
}

const plainReader: Parameters<typeof childrenOf>[3] = {
  members: (map) => (isObject(map) ? Object.entries(map) : []),
  map: (value, change) => change(value),
};

/** What the resource refuses of an entry. Its arguments have their names in the entry. */
function problemsOfEntry({ section, key, type, args }: Child, entry: unknown): Diagnostic[] {
  const { lifecycle, section: of } = resources[type];
  const refused = problemsOfArgs(lifecycle, args);
  if (refused.length === 0) return [];
  const isUndecided = refused.some((each) => propertyOf(each) === "onCreate");
  // Another problem shows only in arguments that are valid individually.
  const others = isUndecided ? problemsOfArgs(lifecycle, { ...args, onCreate: of.inherits.at(-1) }) : refused;
  const names = Object.entries(of.names).filter(([name]) => memberAt(entry, name) !== undefined);
  const written = others.map((each) => {
    const [name] = names.find(([, argument]) => argument === propertyOf(each)) ?? [];
    return name === undefined ? each : { ...each, path: name.split(".") };
  });
  const undecided = isUndecided ? [problem("missing", `is missing: ${of.onCreateAdvice}`, ["onCreate"])] : [];
  return [...undecided, ...written].map((each) => ({ ...each, path: [section, key, ...(each.path ?? [])] }));
}

/** The member at a path such as `onDelete.days`. */
const memberAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce((node, key) => (isObject(node) ? node[key] : undefined), value);

function duplicateIds(children: readonly Child[]): Diagnostic[] {
  const declarations = new Declarations<string>();
  return children.flatMap(({ section, key, type, args }) => {
    const { lifecycle, section: of } = resources[type];
    const other = declarations.add(objectKey(type, String(args[lifecycle.identity]), "the file"), key);
    if (other === undefined) return [];
    const [name = lifecycle.identity] =
      Object.entries(of.names).find(([, argument]) => argument === lifecycle.identity) ?? [];
    return [problem("duplicate-id", `has the same id as ${section}.${other}`, [section, key, name])];
  });
}

/** The diagnostic, with advice if quotes are missing or too many. */
function hinted(diagnostic: Diagnostic, nodes: Nodes): Diagnostic {
  const { path = [], text } = diagnostic;
  const node = isOfKey(diagnostic) ? undefined : nodes.at(path);
  const isRight = (value: unknown) => accepts(organizationSchema, path, value);
  return { ...diagnostic, text: text + (isScalar(node) ? quotesHint(node.value, isRight) : colonHint(node, isRight)) };
}

/** YAML reads an IPv6 address that ends with a colon as a map with that one name. */
function colonHint(node: unknown, isRight: (other: unknown) => boolean): string {
  const [pair, ...others] = isMap(node) ? node.items : [];
  const isOne = pair !== undefined && others.length === 0 && startOf(pair.value) === undefined;
  return isOne && isRight(`${nameOf(pair.key) ?? ""}:`)
    ? "; YAML reads a colon at the end as a map: put it in quotes"
    : "";
}

function quotesHint(value: unknown, isRight: (other: unknown) => boolean): string {
  if (typeof value === "number" && isRight(String(value)))
    return "; YAML reads this one as a number, which loses zeros and digits: put it in quotes";
  const plain = typeof value === "string" ? parseJson(value) : undefined;
  return typeof plain !== "object" && plain !== undefined && isRight(plain) ? "; remove the quotes" : "";
}
