/** Reads an organization file. Each problem has a line, a column and a key path. */
import { LineCounter, isMap, isPair, isScalar, isSeq, visit, type Document, type Scalar } from "yaml";
import { isObject, parseJson } from "../values/any.js";
import { printable } from "../values/text.js";
import { Declarations, objectKey } from "../lifecycle/object.js";
import { type Problem, accepts, andMore, problemsOf, type LocatedProblem } from "../schema/problems.js";
import { decodeUtf8, notUtf8, parseYaml, type Place, type PlacedProblem } from "../yaml/document.js";
import { problemsOfArgs } from "../lifecycle/dry-run.js";
import { resources } from "../resources/index.js";
import { childrenOf, sectionNames, type Child } from "./entries.js";
import { formerlyProblems } from "./formerly.js";
import { Nodes, nameOf, startOf } from "../yaml/nodes.js";
import { organizationSchema, type OrganizationFile } from "./schema.js";
import { mostSimilar } from "../schema/suggestion.js";

interface FileProblem extends Place {
  /** One line, safe to print. */
  readonly message: string;
}

/** The first problems in the order of the file, and the number of the rest. */
export interface FileProblems {
  readonly problems: readonly FileProblem[];
  readonly more: number;
}

type FileResult = { readonly organization: OrganizationFile } | FileProblems;

/** As lines: "organization.yaml:2:23 retention.recordings.days: must be …". */
export function problemLines({ problems, more }: FileProblems, name: string): string[] {
  const lines = problems.map(({ line, column, message }) => `${printable(name)}:${line}:${column} ${message}`);
  return more > 0 ? [...lines, andMore(more)] : lines;
}

const maxProblems = 50;

/** @param content the file's bytes, or its text */
export function readOrganizationFile(content: string | Uint8Array): FileResult {
  const text = typeof content === "string" ? content : decodeUtf8(content);
  if (typeof text !== "string") return { problems: [{ ...text, message: `the file ${notUtf8}` }], more: 0 };
  const lines = new LineCounter();
  const result = read(text, lines);
  if ("organization" in result) return result;
  return firstProblems(result.problems, lines);
}

function firstProblems(all: readonly PlacedProblem[], lines: LineCounter): FileProblems {
  const problems = all.toSorted((a, b) => a.offset - b.offset);
  return {
    problems: problems.slice(0, maxProblems).map(({ offset, reason }) => {
      const { line, col } = lines.linePos(offset);
      return { line, column: col, message: printable(reason) };
    }),
    more: Math.max(0, problems.length - maxProblems),
  };
}

type Read = { readonly organization: OrganizationFile } | { readonly problems: readonly PlacedProblem[] };

function read(text: string, lines: LineCounter): Read {
  const { document, problems: syntax } = parseYaml(text, lines);
  if (!document || syntax.length > 0) return { problems: syntax };
  if (document.contents === null) {
    return {
      problems: [{ offset: 0, reason: "the file is empty: write {} to declare nothing" }],
    };
  }

  const nodes = Nodes.of(document);
  const unreadable = [...nodes.aliasProblems, ...nameProblems(document, nodes, lines)];
  if (unreadable.length > 0) return { problems: unreadable };
  const value = valueOf(document);
  if (value instanceof ReferenceError) return { problems: [{ offset: 0, reason: tooManyAliases }] };
  withoutEmptySections(value, nodes);
  const all = organizationProblems(value, nodes, lines);
  if (all.length === 0) return { organization: value as OrganizationFile };
  return {
    problems: all
      .filter(({ path }) => path.slice(0, -1).every(isShown))
      .map((problem) => ({ offset: nodes.offsetOf(problem), reason: `${subjectOf(problem)} ${problem.reason}` })),
  };
}

/** A section with nothing but comments below it has no entry. */
function withoutEmptySections(value: unknown, nodes: Nodes): void {
  if (!isObject(value)) return;
  for (const name of sectionNames) {
    const node = nodes.at([name]);
    if (isScalar(node) && node.value === null && node.source === "") value[name] = {};
  }
}

/**
 * A name is shown within a section of an organization file, and nothing else of the text: the file may be any file. What is below
 * a name that is not shown waits until that one is correct.
 */
function isShown(key: PropertyKey, depth: number): boolean {
  const text = String(key);
  if (depth > 0) return /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u.test(text);
  const { shape } = organizationSchema;
  return Object.hasOwn(shape, text) || mostSimilar(text, Object.keys(shape)) !== undefined;
}

function subjectOf({ path, isStrange }: LocatedProblem): string {
  if (isStrange) return "this key";
  const shown = path.every(isShown) ? path : path.slice(0, -1);
  return shown.length === 0 ? "the file" : `${shown.join(".")}:`;
}

/** The checks of each value. Those between values wait until each of them is right. */
function organizationProblems(value: unknown, nodes: Nodes, lines: LineCounter): readonly LocatedProblem[] {
  const problems = problemsOf(organizationSchema, value, "an organization file", Infinity);
  const isReported = ({ property }: Problem) => problems.some((other) => other.property === property);
  const rewritten = rewrittenValues(nodes).filter((each) => !isReported(each));
  const others =
    problems.length > 0
      ? problems.map((each) => hinted(each, nodes))
      : problemsBetweenFields(nodes, lines, value as OrganizationFile);
  return [...others, ...rewritten];
}

const tooManyAliases = "the aliases expand to too many values: write out some of them";

/** Without these checks, JavaScript would drop an entry named `__proto__` and the first of two with one name, and have the text of a map as a name. */
function nameProblems(document: Document.Parsed, nodes: Nodes, lines: LineCounter): PlacedProblem[] {
  const problems: PlacedProblem[] = [];
  visit(document, {
    Map(_key, map, ancestors) {
      const seen = new Map<string, number>();
      const path = ancestors.flatMap((each) => (isPair(each) ? [nameOf(nodes.resolved(each.key)) ?? ""] : []));
      for (const { key } of map.items) {
        const name = nameOf(nodes.resolved(key));
        const offset = startOf(key) ?? startOf(map) ?? 0;
        const first = name === undefined ? undefined : seen.get(name);
        const reason =
          name !== undefined && first !== undefined
            ? `${[...path, name].every(isShown) ? name : "a name"} appears twice, ${linesOf([first, offset], lines)}`
            : nameProblem(name, nodes.resolved(key));
        if (reason !== undefined) problems.push({ offset, reason });
        if (name !== undefined && first === undefined) seen.set(name, offset);
      }
    },
  });
  return problems;
}

/** ~, 0x10 and 1.10 would be the names null, 16 and 1.1. */
const isAsWritten = (key: unknown): boolean =>
  !isScalar(key) || typeof key.value === "string" || key.source === String(key.value);

const rewrittenName = "the name here is not what YAML reads: put it in quotes";

function linesOf(offsets: readonly number[], lines: LineCounter): string {
  const [first, second] = offsets.map((offset) => lines.linePos(offset).line);
  return first === second ? `line ${first}` : `lines ${first} and ${second}`;
}

function nameProblem(name: string | undefined, key: unknown): string | undefined {
  if (name === undefined) return "a name is text, and this one is a map or a list";
  if (name === "__proto__") return "__proto__: cannot be a name here, choose another";
  if (name === "<<" && isScalar(key) && key.type === "PLAIN")
    return "<<: merge keys are not read: write the values out, or let an alias stand for the whole entry";
  return isAsWritten(key) ? undefined : rewrittenName;
}

/** The document as plain values, or the library's error if nested aliases make it too large. */
function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) return error;
    throw error;
  }
}

/**
 * Values that YAML does not read as they are written: 0x10 is 16, 0365 is 365 to one reader and 245 to another, and 1.1 and 1.10 are the
 * same trigger.
 */
function rewrittenValues(nodes: Nodes, at: unknown = nodes.at([]), path: readonly string[] = []): LocatedProblem[] {
  const node = nodes.resolved(at);
  if (isMap(node))
    return node.items.flatMap(({ key, value }) =>
      rewrittenValues(nodes, value, [...path, nameOf(nodes.resolved(key)) ?? ""]),
    );
  if (isSeq(node)) return node.items.flatMap((item, index) => rewrittenValues(nodes, item, [...path, String(index)]));
  if (!isRewritten(node) || (typeof node.value === "boolean" && !path.includes("triggers"))) return [];
  const isTrigger = path.includes("triggers");
  const reason = `YAML reads this as another value: ${isTrigger ? "put it in quotes" : "write plain digits"}`;
  return [{ path, property: path.join("."), reason }];
}

function isRewritten(node: unknown): node is Scalar {
  return isScalar(node) && ["number", "boolean"].includes(typeof node.value) && node.source !== String(node.value);
}

/** The problems of a file whose values are valid individually. */
function problemsBetweenFields(nodes: Nodes, lines: LineCounter, organization: OrganizationFile): LocatedProblem[] {
  const lineOf = (path: readonly string[]) =>
    lines.linePos(nodes.offsetOf({ path, property: "", reason: "", isKey: true })).line;
  return sectionNames.flatMap((section) => {
    const children = childrenOf(section, "", organization, plainReader);
    const former = formerlyProblems(section, organization[section]).map(({ path, reason, other }) => ({
      path,
      property: path.join("."),
      reason: other ? `${reason} (${other.join(".")}, line ${lineOf(other)})` : reason,
    }));
    return [
      ...children.flatMap((child) => problemsOfEntry(child, organization[section]?.[child.key])),
      ...duplicatesIn(children),
      ...former,
    ];
  });
}

const plainReader: Parameters<typeof childrenOf>[3] = {
  members: (map) => (isObject(map) ? Object.entries(map) : []),
  map: (value, change) => change(value),
};

/** What the resource refuses, with the names that the entry has for its arguments. */
function problemsOfEntry({ section, key, type, args }: Child, entry: unknown): LocatedProblem[] {
  const { lifecycle, section: of } = resources[type];
  const refused = problemsOfArgs(lifecycle, args);
  const isUndecided = refused.some(({ property }) => property === "onCreate");
  // Another problem shows only in arguments that are valid individually.
  const others = isUndecided ? problemsOfArgs(lifecycle, { ...args, onCreate: of.inherits.at(-1) }) : refused;
  const names = Object.entries(of.names).filter(([name]) => memberAt(entry, name) !== undefined);
  const written = others.map(({ property, reason }) => {
    const [name = property] = names.find(([, argument]) => argument === property) ?? [];
    return { property: name, reason };
  });
  const undecided = isUndecided ? [{ property: "onCreate", reason: `is missing: ${of.onCreateAdvice}` }] : [];
  return [...undecided, ...written].map(below([section, key]));
}

const memberAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce((node, key) => (isObject(node) ? node[key] : undefined), value);

function below(parent: string[]): (problem: Problem) => LocatedProblem {
  return ({ property, reason }) => {
    const path = [...parent, ...property.split(".").filter((key) => key !== "")];
    return { path, property: path.join("."), reason };
  };
}

function duplicatesIn(children: readonly Child[]): LocatedProblem[] {
  const declarations = new Declarations<string>();
  return children.flatMap(({ section, key, type, args }) => {
    const { lifecycle, section: of } = resources[type];
    const other = declarations.add(objectKey(type, String(args[lifecycle.identity]), "the file"), key);
    if (other === undefined) return [];
    const [property = ""] = Object.entries(of.names).find(([, argument]) => argument === lifecycle.identity) ?? [];
    return [below([section, key])({ property, reason: `has the same id as ${section}.${other}` })];
  });
}

/** The problem with what to do about the quotes, if they are the mistake. */
function hinted(problem: LocatedProblem, nodes: Nodes): LocatedProblem {
  const node = problem.isKey ? undefined : nodes.at(problem.path);
  const hint = isScalar(node)
    ? quotesHint(node.value, (value) => accepts(organizationSchema, problem.path, value))
    : "";
  return { ...problem, reason: problem.reason + hint };
}

function quotesHint(value: unknown, isRight: (other: unknown) => boolean): string {
  // YAML reads an id as a number, which loses zeros and digits.
  if (typeof value === "number" && isRight(String(value)))
    return "; YAML reads this one as a number, which loses zeros and digits: put it in quotes";
  const plain = typeof value === "string" ? parseJson(value) : undefined;
  return typeof plain !== "object" && plain !== undefined && isRight(plain) ? "; remove the quotes" : "";
}
