/** Reads an organization file: its content, or its problems, each with a line, a column and the path of its key. */
import { problemsOfArgs } from "../lifecycle/dry-run.js";
import { objectKey } from "../lifecycle/object.js";
import { resources } from "../resources/index.js";
import { accepts, problemsOf, valueAt } from "../schema/problems.js";
import { isObject, tried, type Values } from "../values/any.js";
import { byPlace, problem, type Diagnostic, type Position } from "../values/diagnostic.js";
import { printable } from "../values/text.js";
import { readYaml, type YamlDocument } from "../yaml/document.js";
import { childrenOf, formerlyProblems, pathInEntry, sectionNames, sectionOf, type Child } from "./entries.js";
import { organizationSchema, type OrganizationFile } from "./schema.js";

/** What a valid file declares. */
export interface DeclaredFile {
  readonly organization: OrganizationFile;
  readonly placeOf: (path: readonly string[]) => Position;
}

export type FileResult = DeclaredFile | { readonly problems: readonly Diagnostic[] };

/** @param content the file's bytes, or its text */
export function readOrganizationFile(content: string | Uint8Array): FileResult {
  const text = typeof content === "string" ? content : tried(() => strictUtf8.decode(content));
  const atStart = (...of: Parameters<typeof problem>) => ({
    problems: [{ ...problem(...of), place: { line: 1, column: 1 } }],
  });
  if (text === undefined) return atStart("file-unreadable", "the file is not UTF-8: save the file as UTF-8");
  const yaml = readYaml(text);
  if (yaml.problems.length > 0) return { problems: yaml.problems };
  if (yaml.value === null) return atStart("file-unreadable", "the file is empty: write {} to declare nothing");
  const organization = withEmptySections(yaml.value);
  const problems = problemsIn(organization, yaml);
  if (problems.length === 0)
    return { organization: organization as OrganizationFile, placeOf: (path) => yaml.placeOf(path) };
  const placed = problems.map((each) => ({
    ...each,
    // Keys of any spelling: without a path, the text says what it is about.
    text: printable((each.path ?? []).length === 0 ? `the file ${each.text}` : each.text),
    place: yaml.placeOf(each.path ?? [], each.code === "unknown-property"),
  }));
  return { problems: placed.toSorted(byPlace) };
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** With an empty map for each section that has nothing, or only comments, below it. */
function withEmptySections(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, entries]) => [name, isEmptySection(name, entries) ? {} : entries]);
  return Object.fromEntries(entries) as Values;
}

const isEmptySection = (name: string, entries: unknown): boolean =>
  entries === null && sectionNames.some((each) => each === name);

/** Entries are compared with each other, and with what their resources refuse, only where their values are valid individually. */
function problemsIn(value: unknown, yaml: YamlDocument): Diagnostic[] {
  const problems = problemsOf(organizationSchema, value, "an organization file").map((each) => withHint(each, yaml));
  if (!isObject(value) || problems.some(({ path = [] }) => path.length < 2)) return problems;
  const organization = value as OrganizationFile;
  const wrong = new Set(problems.map(({ path = [] }) => JSON.stringify(path.slice(0, 2))));
  const between = sectionNames.flatMap((section) => {
    const children = childrenOf(section, "", organization).filter(
      ({ key }) => !wrong.has(JSON.stringify([section, key])),
    );
    return [
      ...children.flatMap((child) => problemsOfEntry(child, organization)),
      ...duplicateIds(children),
      ...formerlyProblems(section, organization[section]),
    ];
  });
  return [...problems, ...between];
}

/** YAML reads an id of digits as a number, which loses zeros and digits. */
function withHint(each: Diagnostic, yaml: YamlDocument): Diagnostic {
  const { path = [], text } = each;
  const isNumber = typeof valueAt(yaml.value, path) === "number";
  if (!isNumber || !accepts(organizationSchema, path, yaml.sourceOf(path))) return each;
  return { ...each, text: `${text}; YAML reads this one as a number: put it in quotes` };
}

/** What the resource refuses of an entry. Its arguments have their names in the entry. */
function problemsOfEntry({ section, key, type, args }: Child, organization: OrganizationFile): Diagnostic[] {
  const { lifecycle } = resources[type];
  const { inherits, onCreateAdvice } = sectionOf(section);
  // A trunk has a default, because `cleared` says enough.
  const isUndecided = args.onCreate === undefined && !resources[type].args.shape.onCreate.safeParse(undefined).success;
  const undecided = isUndecided ? [problem("missing", `is missing: ${onCreateAdvice}`, ["onCreate"])] : [];
  const others = problemsOfArgs(lifecycle, isUndecided ? { ...args, onCreate: inherits.at(-1) } : args);
  return [...undecided, ...others].map((each) => {
    const renamed = pathInEntry(type, each.path ?? []);
    // An entry may write a member of `onDelete` as the argument does.
    const isWritten = valueAt(organization[section]?.[key], renamed) !== undefined;
    return { ...each, path: [section, key, ...(isWritten ? renamed : (each.path ?? []))] };
  });
}

function duplicateIds(children: readonly Child[]): Diagnostic[] {
  const keys = new Map<string, string>();
  return children.flatMap(({ section, key, type, args }) => {
    const { identity } = resources[type].lifecycle;
    const object = objectKey(type, String(args[identity]), "the file");
    const other = keys.get(object);
    keys.set(object, other ?? key);
    const path = [section, key, ...pathInEntry(type, [identity])];
    return other === undefined ? [] : [problem("declared-twice", `has the same id as ${section}.${other}`, path)];
  });
}
