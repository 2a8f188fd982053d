/** Reads an organization file. Each problem has its line, column and key path. */
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
import { idKey } from "../resources/fields.js";
import type { Problem } from "../resources/lifecycle.js";
import { organizationSchema, type OrganizationFile } from "./schema.js";
import { problemsOf, type LocatedProblem } from "../resources/problems.js";
import { contradictions } from "../resources/network-policy.js";
import { shortening } from "../resources/retention-policy.js";

export type FileResult = { readonly organization: OrganizationFile } | { readonly problems: readonly string[] };

/** @param name the file's name in messages */
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
  const all = problems.length > 0 ? problems : furtherProblems(document, value as OrganizationFile);
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

/** Aliases without an anchor, and aliases that contain themselves. */
function aliasProblems(document: Document.Parsed): { offset: number; reason: string }[] {
  const problems: { offset: number; reason: string }[] = [];
  visit(document, {
    Alias(_key, alias, ancestors) {
      const target = alias.resolve(document);
      if (target && !ancestors.includes(target)) return;
      const reason = target ? `is inside its own anchor` : `has no anchor: no &${alias.source} comes before it`;
      problems.push({ offset: startOf(alias) ?? 0, reason: `*${alias.source} ${reason}` });
    },
  });
  return problems;
}

/** JavaScript would drop an entry named `__proto__` without a check. */
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

/** The document as plain values, or the library's error where nested aliases would make it too large. */
function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (error instanceof ReferenceError) return error;
    throw error;
  }
}

/** YAML reads 1.1 and 1.10, or 0x10 and 16, as the same number: a change of a trigger from one to the other would do nothing. */
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

/** The pair whose key has this text, whatever type YAML gives the key. */
function pairOf(node: unknown, key: PropertyKey): Pair | undefined {
  return isMap(node) ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === key) : undefined;
}

/** The problems of a file whose values are valid by themselves. */
function furtherProblems(document: Document.Parsed, organization: OrganizationFile): LocatedProblem[] {
  const { retention = {}, networkPolicies = {}, trunks = {}, webhooks = {} } = organization;
  const retentionProblems = retentionResources.flatMap((kind) => {
    const policy = retention[kind];
    return policy ? shorteningsOf(kind, policy).map(below(["retention", kind])) : [];
  });
  const networkProblems = Object.entries(networkPolicies).flatMap(([key, policy]) =>
    contradictions(policy).map(below(["networkPolicies", key])),
  );
  const twice = Object.entries({ networkPolicies, trunks, webhooks }).flatMap(([section, entries]) =>
    declaredTwice(section, entries),
  );
  return [...retentionProblems, ...networkProblems, ...twice, ...foldedTriggers(document, organization)];
}

/** With the name that the file uses for days. */
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
    const other = first.get(idKey(id));
    first.set(idKey(id), other ?? key);
    if (other === undefined) return [];
    const reason = `is the object that ${section}.${other} declares already`;
    return [below([section, key])({ property: "id", reason })];
  });
}

/** The offset of the value at `path`; of its key, where the key is wrong or has no value; else of the nearest parent. */
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
  // An empty value has no text: its key is the better place.
  if (!isNode(node) || (isScalar(node) && node.value === null)) return undefined;
  return node.range?.[0];
}

/** An id that YAML reads as a number loses zeros and digits. */
function numberHint(document: Document.Parsed, path: readonly PropertyKey[]): string {
  return path.at(-1) === "id" && path.at(-2) !== "triggers" && typeof document.getIn(path) === "number"
    ? "; YAML reads this one as a number, which loses zeros and digits: put it in quotes"
    : "";
}
