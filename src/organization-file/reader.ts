/** Reads an organization file. Each problem has a line, a column and a key path. */
import { LineCounter, isScalar, visit, type Document } from "yaml";
import type * as z from "zod";
import { parseJson } from "../values/any.js";
import { containsUnknown } from "../values/engine.js";
import { printable } from "../values/text.js";
import { retentionResources, type RetentionResource } from "../contract/index.js";
import { objectKey } from "../lifecycle/object.js";
import { type Problem, accepts, andMore, problemsOf, type LocatedProblem } from "../schema/problems.js";
import { decodeUtf8, notUtf8, parseYaml, type Place, type PlacedProblem } from "../yaml/document.js";
import { withRetentionDays } from "./entries.js";
import { formerlyProblems } from "./formerly.js";
import { Nodes, nameOf, startOf } from "../yaml/nodes.js";
import { organizationSchema, type OrganizationFile } from "./schema.js";
import { contradictions } from "../resources/network-policy/lifecycle.js";
import { mostSimilar } from "../schema/suggestion.js";
import { shortening } from "../resources/retention-policy/lifecycle.js";

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

export function firstProblems(all: readonly PlacedProblem[], lines: LineCounter): FileProblems {
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
  const unreadable = [...nodes.aliasProblems, ...nameProblems(document, nodes)];
  if (unreadable.length > 0) return { problems: unreadable };
  const value = valueOf(document);
  if (value instanceof ReferenceError) return { problems: [{ offset: 0, reason: tooManyAliases }] };
  const all = organizationProblems(organizationSchema, value, nodes, lines, "an organization file");
  if (all.length === 0) return { organization: value as OrganizationFile };
  return {
    problems: all
      .filter(({ path }) => path.slice(0, -1).every(isShown))
      .map((problem) => ({ offset: nodes.offsetOf(problem), reason: `${subjectOf(problem)} ${problem.reason}` })),
  };
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

/**
 * @param value of the schema, with the engine's mark for what only a run knows
 * @param nodes of the value
 * @param lines of the file
 */
export function organizationProblems(
  schema: z.ZodType,
  value: unknown,
  nodes: Nodes,
  lines: LineCounter,
  noun: string,
): readonly LocatedProblem[] {
  const problems = problemsOf(schema, value, noun, Infinity);
  if (problems.length > 0 || containsUnknown(value)) return problems.map((problem) => hinted(problem, schema, nodes));
  return problemsBetweenFields(nodes, lines, value as OrganizationFile);
}

const tooManyAliases = "the aliases expand to too many values: write out some of them";

/** Without these checks, JavaScript would drop an entry named `__proto__` and the first of two with one name, and have the text of a map as a name. */
function nameProblems(document: Document.Parsed, nodes: Nodes): PlacedProblem[] {
  const problems: PlacedProblem[] = [];
  visit(document, {
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const name = nameOf(nodes.resolved(key));
        const reason = nameProblem(name, seen);
        if (reason !== undefined) problems.push({ offset: startOf(key) ?? startOf(map) ?? 0, reason });
        if (name !== undefined) seen.add(name);
      }
    },
  });
  return problems;
}

function nameProblem(name: string | undefined, seen: ReadonlySet<string>): string | undefined {
  if (name === undefined) return "a name is text, and this one is a map or a list";
  if (name === "__proto__") return "__proto__: cannot be a name here, choose another";
  return seen.has(name) ? "the name here appears twice, but a name can be used once" : undefined;
}

/** The document as plain values, or the library's error if nested aliases make it too large. */
export function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) return error;
    throw error;
  }
}

/** YAML reads 1.1 and 1.10, or 0x10 and 16, as the same number: changing a trigger from one to the other would have no effect. */
function inexactTriggers(nodes: Nodes, { trunks = {}, webhooks = {} }: OrganizationFile): LocatedProblem[] {
  const sections: Record<string, Record<string, { triggers?: object | undefined }>> = { trunks, webhooks };
  return Object.entries(sections).flatMap(([section, entries]) =>
    Object.entries(entries).flatMap(([key, { triggers = {} }]) =>
      Object.keys(triggers)
        .map((name) => [section, key, "triggers", name])
        .filter((path) => isInexact(nodes.at(path)))
        .map((path) => ({
          path,
          property: path.join("."),
          reason: "YAML reads this as another number: put it in quotes",
        })),
    ),
  );
}

function isInexact(node: unknown): boolean {
  return isScalar(node) && typeof node.value === "number" && node.source !== String(node.value);
}

/** The problems of a file whose values are valid individually. */
function problemsBetweenFields(nodes: Nodes, lines: LineCounter, organization: OrganizationFile): LocatedProblem[] {
  const { retention = {}, networkPolicies = {}, trunks = {}, webhooks = {} } = organization;
  const retentionProblems = retentionResources.flatMap((resource) => {
    const policy = retention[resource];
    return policy ? shorteningsOf(resource, policy).map(below(["retention", resource])) : [];
  });
  const networkProblems = Object.entries(networkPolicies).flatMap(([key, policy]) =>
    contradictions(policy).map(below(["networkPolicies", key])),
  );
  const needed = {
    ...(organization.onCreate === undefined && { retention, networkPolicies }),
    ...(organization.onCreate !== "adopt" && { webhooks }),
  };
  const undecided = Object.entries(needed).flatMap(([section, entries]) =>
    Object.entries(entries as Record<string, { onCreate?: unknown }>).flatMap(([key, { onCreate }]) =>
      onCreate === undefined ? [below([section, key])({ property: "onCreate", reason: onCreateMissing(section) })] : [],
    ),
  );
  const duplicates = Object.entries({ networkPolicies, trunks, webhooks }).flatMap(([section, entries]) =>
    duplicatesIn(section, entries),
  );
  const lineOf = (path: readonly string[]) =>
    lines.linePos(nodes.offsetOf({ path, property: "", reason: "", isKey: true })).line;
  const former = Object.entries({ networkPolicies, trunks, webhooks }).flatMap(([section, entries]) =>
    formerlyProblems(section, entries).map(({ path, reason, other }) => ({
      path,
      property: path.join("."),
      reason: other ? `${reason} (${other.join(".")}, line ${lineOf(other)})` : reason,
    })),
  );
  return [
    ...retentionProblems,
    ...networkProblems,
    ...undecided,
    ...duplicates,
    ...former,
    ...inexactTriggers(nodes, organization),
  ];
}

/** Without a default: nobody ends a secret in use, or replaces a setting that cannot be read, by leaving something out. */
const onCreateMissing = (section: string): string =>
  section === "webhooks"
    ? 'is missing: write "adopt" to keep the secret in use, or "rotate" to end it and learn a new one. `onCreate: adopt` at the top of ' +
      "the file adopts every new entry"
    : 'is missing: write "overwrite" to send the setting, which replaces what the server has, or "adopt" to send nothing. `onCreate` at ' +
      "the top of the file is for all settings";

/** The problems with the file's own name for days. */
function shorteningsOf(resource: RetentionResource, { days, onDelete, allowShortening }: FilePolicy): Problem[] {
  const args = { retentionDays: days, onDelete: withRetentionDays(onDelete) as OnDelete, allowShortening };
  const usesDays = args.onDelete !== onDelete;
  return shortening(undefined, resource, args).map((problem) => ({
    ...problem,
    property: usesDays ? problem.property.replace("retentionDays", "days") : problem.property,
  }));
}

type OnDelete = Parameters<typeof shortening>[2]["onDelete"];
type FilePolicy = NonNullable<NonNullable<OrganizationFile["retention"]>[RetentionResource]>;

function below(parent: string[]): (problem: Problem) => LocatedProblem {
  return ({ property, reason }) => {
    const path = [...parent, ...property.split(".").filter((key) => key !== "")];
    return { path, property: path.join("."), reason };
  };
}

function duplicatesIn(section: string, entries: Record<string, { id: string }>): LocatedProblem[] {
  const first = new Map<string, string>();
  return Object.entries(entries).flatMap(([key, { id }]) => {
    const object = objectKey(section, id, "the file");
    const other = first.get(object);
    first.set(object, other ?? key);
    if (other === undefined) return [];
    const reason = `is the object that ${section}.${other} declares already`;
    return [below([section, key])({ property: "id", reason })];
  });
}

/** The problem with what to do about the quotes, if they are the mistake. */
export function hinted(problem: LocatedProblem, schema: z.ZodType, nodes: Nodes): LocatedProblem {
  const node = problem.isKey ? undefined : nodes.at(problem.path);
  const hint = isScalar(node) ? quotesHint(node.value, (value) => accepts(schema, problem.path, value)) : "";
  return { ...problem, reason: problem.reason + hint };
}

function quotesHint(value: unknown, isRight: (other: unknown) => boolean): string {
  // YAML reads an id as a number, which loses zeros and digits.
  if (typeof value === "number" && isRight(String(value)))
    return "; YAML reads this one as a number, which loses zeros and digits: put it in quotes";
  const plain = typeof value === "string" ? parseJson(value) : undefined;
  return typeof plain !== "object" && plain !== undefined && isRight(plain) ? "; remove the quotes" : "";
}
