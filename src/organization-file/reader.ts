/** Reads an organization file: its content, or its problems, each with a line, a column and the path of its key. */
import { LineCounter, isScalar } from "yaml";
import { accepts, firstProblems, problemsOf } from "../schema/problems.js";
import { isObject, tried } from "../values/any.js";
import { byPlace, problem, propertyOf, type Diagnostic, type Position } from "../values/diagnostic.js";
import { printable } from "../values/text.js";
import { parseYaml, placed, positionAt } from "../yaml/document.js";
import { Nodes } from "../yaml/nodes.js";
import { sectionNames } from "./entries.js";
import { problemsBetweenFields } from "./entry-problems.js";
import { organizationSchema, type OrganizationFile } from "./schema.js";
import { aliasProblems, isShown, nameProblems, quotesHint, rewrittenValues } from "./yaml-problems.js";

/** What a valid file declares. */
export interface DeclaredFile {
  readonly organization: OrganizationFile;
  readonly placeOf: (path: readonly string[]) => Position;
}

export type FileResult = DeclaredFile | { readonly problems: readonly Diagnostic[] };

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

const tooManyAliases = "the aliases expand to too many values: write out some of them";

/** Makes an empty map of each section that has nothing or only comments below it. */
function fillEmptySections(value: unknown, nodes: Nodes): void {
  if (!isObject(value)) return;
  for (const name of sectionNames) {
    const node = nodes.at([name]);
    if (isScalar(node) && node.value === null && node.source === "") value[name] = {};
  }
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

/** The problems of the values. Those of an entry are compared with each other only if each of them is valid individually. */
function organizationProblems(value: unknown, nodes: Nodes, lines: LineCounter): readonly Diagnostic[] {
  const problems = problemsOf(organizationSchema, value, "an organization file", Infinity);
  const reported = new Set(problems.map(propertyOf));
  const rewritten = rewrittenValues(nodes.at([])).filter((each) => !reported.has(propertyOf(each)));
  const hinted = (each: Diagnostic): Diagnostic => {
    const { path = [], text } = each;
    const node = isOfKey(each) ? undefined : nodes.at(path);
    return { ...each, text: text + quotesHint(node, (other) => accepts(organizationSchema, path, other)) };
  };
  const valid = validEntries(value, problems);
  return [...problems.map(hinted), ...problemsBetweenFields(nodes, lines, valid), ...rewritten];
}

/** The organization without the entries that have a problem. A problem above the entries may be about all of them. */
function validEntries(value: unknown, problems: readonly Diagnostic[]): OrganizationFile {
  if (!isObject(value) || problems.some(({ path = [] }) => path.length < 2)) return {};
  const wrong = new Set(problems.map(({ path = [] }) => JSON.stringify(path.slice(0, 2))));
  const isValid = (section: string, key: string) => !wrong.has(JSON.stringify([section, key]));
  const sections = sectionNames.map((section) => {
    const entries = Object.entries(value[section] ?? {});
    return [section, Object.fromEntries(entries.filter(([key]) => isValid(section, key)))];
  });
  return { ...value, ...Object.fromEntries(sections) } as OrganizationFile;
}
