/** Reads an organization file and says all that is wrong with it, each problem with its line, column and key path. */
import {
  LineCounter,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  parseDocument,
  visit,
  type Document,
  type Pair,
} from "yaml";
import { retentionResources, type RetentionResource } from "../contract.js";
import type { Problem } from "../resources/lifecycle.js";
import { organizationSchema, type OrganizationFile } from "./schema.js";
import { problemsOf, type LocatedProblem } from "../resources/problems.js";
import { contradictions } from "../resources/network-policy.js";
import { shortening } from "../resources/retention-policy.js";

export type FileResult = { readonly organization: OrganizationFile } | { readonly problems: readonly string[] };

/**
 * @param text the file's contents
 * @param name how messages call the file
 */
export function readOrganizationFile(text: string, name: string): FileResult {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const syntax = [...document.errors, ...document.warnings];
  if (syntax.length > 0) return { problems: syntax.map(({ pos, message }) => `${at(pos[0])} ${message}`) };
  if (document.contents === null) {
    return { problems: [`${at(0)} the file is empty: write {} if the organization is to declare nothing`] };
  }

  const unreadable = [...aliasProblems(document), ...nameProblems(document)].sort((a, b) => a.offset - b.offset);
  if (unreadable.length > 0) return { problems: unreadable.map(({ offset, reason }) => `${at(offset)} ${reason}`) };
  const value = valueOf(document);
  if (value instanceof ReferenceError) return { problems: [`${at(0)} ${value.message}`] };
  const problems = problemsOf(organizationSchema, value, "an organization file");
  const all = problems.length > 0 ? problems : problemsBetweenFields(document, value as OrganizationFile);
  if (all.length === 0) return { organization: value as OrganizationFile };
  const located = all.map((problem) => ({ ...problem, offset: offsetOf(document, problem) }));
  return {
    problems: located
      .sort((a, b) => a.offset - b.offset)
      .map(({ offset, path, property, reason }) => {
        const subject = property === "" ? "the file" : `${property}:`;
        return `${at(offset)} ${subject} ${reason}${numberHint(document, path)}`;
      }),
  };
}

/** Aliases that stand for nothing, or for something without an end. */
function aliasProblems(document: Document.Parsed): { offset: number; reason: string }[] {
  const problems: { offset: number; reason: string }[] = [];
  visit(document, {
    Alias(_key, alias, ancestors) {
      const target = alias.resolve(document);
      if (target && !ancestors.includes(target)) return;
      const reason = target
        ? `is a part of what it stands for`
        : `stands for nothing: no &${alias.source} comes before it`;
      problems.push({ offset: startOf(alias) ?? 0, reason: `*${alias.source} ${reason}` });
    },
  });
  return problems;
}

/** A name that JavaScript keeps for something of its own: an entry of that name would be lost, unchecked. */
function nameProblems(document: Document.Parsed): { offset: number; reason: string }[] {
  const problems: { offset: number; reason: string }[] = [];
  visit(document, {
    Pair(_key, { key }) {
      const name: unknown = isAlias(key) ? key.resolve(document) : key;
      if (!isScalar(name) || name.value !== "__proto__") return;
      problems.push({ offset: startOf(key) ?? 0, reason: "__proto__: cannot be a name here, choose another" });
    },
  });
  return problems;
}

/** The document as plain values, or the library's error where aliases of aliases would make it huge. */
function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) return error;
    throw error;
  }
}

/** What can be looked at once the rest is right. */
function problemsBetweenFields(document: Document.Parsed, organization: OrganizationFile): LocatedProblem[] {
  return [...contradictionsBetweenFields(organization), ...foldedTriggers(document, organization)];
}

/**
 * Triggers are there to be changed. YAML takes 1.1 and 1.10, 0x10 and 16, and numbers of many digits, for one, and an edit
 * from the one to the other would do nothing, without a word.
 */
function foldedTriggers(document: Document.Parsed, { trunks = {}, webhooks = {} }: OrganizationFile): LocatedProblem[] {
  const sections: Record<string, Record<string, { triggers?: object | undefined }>> = { trunks, webhooks };
  return Object.entries(sections).flatMap(([section, entries]) =>
    Object.entries(entries).flatMap(([key, { triggers = {} }]) =>
      Object.keys(triggers)
        .map((name) => [section, key, "triggers", name])
        .filter((path) => isFolded(nodeAt(document, path)))
        .map((path) => ({
          path,
          property: path.join("."),
          reason: "YAML reads this as another number: put it in quotes",
        })),
    ),
  );
}

function isFolded(node: unknown): boolean {
  return isScalar(node) && typeof node.value === "number" && node.source !== String(node.value);
}

function nodeAt(document: Document.Parsed, path: readonly string[]): unknown {
  const resolved = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  return path.reduce<unknown>((node, key) => resolved(pairOf(node, key)?.value), document.contents);
}

/** The pair of a map whose key is this one as text, whatever YAML takes it for. */
function pairOf(node: unknown, key: PropertyKey): Pair | undefined {
  return isMap(node) ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === key) : undefined;
}

/** Rules between fields, and between entries. */
function contradictionsBetweenFields(organization: OrganizationFile): LocatedProblem[] {
  const { retention = {}, networkPolicies = {}, trunks = {}, webhooks = {} } = organization;
  const retentionProblems = retentionResources.flatMap((kind) => {
    const policy = retention[kind];
    if (!policy) return [];
    return shorteningsOf(kind, policy).map(below(["retention", kind]));
  });
  const networkProblems = Object.entries(networkPolicies).flatMap(([key, policy]) =>
    contradictions(policy).map(below(["networkPolicies", key])),
  );
  const twice = Object.entries({ networkPolicies, trunks, webhooks }).flatMap(([section, entries]) =>
    declaredTwice(section, entries),
  );
  return [...retentionProblems, ...networkProblems, ...twice];
}

/** In the file's own word for days. */
function shorteningsOf(kind: RetentionResource, { days, onDelete, allowShortening }: FilePolicy): Problem[] {
  const usesDays = typeof onDelete === "object" && "days" in onDelete;
  const undone = usesDays ? { retentionDays: onDelete.days, enabled: onDelete.enabled } : onDelete;
  return shortening(undefined, kind, { retentionDays: days, onDelete: undone, allowShortening }).map((problem) => ({
    ...problem,
    property: usesDays ? problem.property.replace("retentionDays", "days") : problem.property,
  }));
}

type FilePolicy = NonNullable<NonNullable<OrganizationFile["retention"]>[RetentionResource]>;

function below(parent: string[]): (problem: Problem) => LocatedProblem {
  return ({ property, reason }) => {
    const path = [...parent, ...property.split(".").filter((key) => key !== "")];
    return { path, property: path.join("."), reason };
  };
}

function declaredTwice(section: string, entries: Record<string, { id: string }>): LocatedProblem[] {
  const first = new Map<string, string>();
  return Object.entries(entries).flatMap(([key, { id }]) => {
    // Servers take an id in several spellings: in doubt it is the same object.
    const other = first.get(id.toLowerCase());
    first.set(id.toLowerCase(), other ?? key);
    if (other === undefined) return [];
    return [
      below([section, key])({ property: "id", reason: `is the object that ${section}.${other} declares already` }),
    ];
  });
}

/** Where the value at `path` begins, or the key where that is wrong or has no value, or the nearest thing around it. */
function offsetOf(document: Document.Parsed, { path, isKey }: LocatedProblem): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  let keyOffset = offset;
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (!isCollection(node)) break;
    const pair = pairOf(node, key);
    keyOffset = startOf(pair?.key) ?? offset;
    offset = keyOffset;
    node = pair ? pair.value : node.get(key, true);
    offset = startOf(node) ?? offset;
  }
  return isKey ? keyOffset : offset;
}

function startOf(node: unknown): number | undefined {
  // An empty value has no text of its own: its key tells more.
  if (!isNode(node) || (isScalar(node) && node.value === null)) return undefined;
  return node.range?.[0];
}

/** Numbers lose leading zeros and long digits before anybody sees them, so an id has to be written as a string. */
function numberHint(document: Document.Parsed, path: readonly PropertyKey[]): string {
  return path.at(-1) === "id" && path.at(-2) !== "triggers" && typeof document.getIn(path) === "number"
    ? "; YAML reads this one as a number, which loses zeros and digits: put it in quotes"
    : "";
}
