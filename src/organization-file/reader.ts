/** Reads an organization file. Each problem has its line, column and key path. */
import {
  LineCounter,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  visit,
  type Document,
  type Pair,
  type YAMLMap,
} from "yaml";
import { printable } from "../client/printable.js";
import { retentionResources, type RetentionResource } from "../contract/index.js";
import { idKey } from "../resources/fields.js";
import type { Problem } from "../resources/lifecycle.js";
import { decodeUtf8, notUtf8, parseYaml, type Place, type PlacedProblem } from "./document.js";
import { withRetentionDays } from "./entries.js";
import { organizationSchema, type OrganizationFile } from "./schema.js";
import { andMore, problemsOf, type LocatedProblem } from "../resources/problems.js";
import { contradictions } from "../resources/network-policy.js";
import { shortening } from "../resources/retention-policy.js";

export interface FileProblem extends Place {
  /** One line, safe to print. */
  readonly message: string;
}

/** The first problems in the order of the file, and the number of the others. */
export interface FileProblems {
  readonly problems: readonly FileProblem[];
  readonly more: number;
}

export type FileResult = { readonly organization: OrganizationFile } | FileProblems;

/** As lines: "organization.yaml:2:23 retention.recordings.days: must be …". */
export function problemLines({ problems, more }: FileProblems, name: string): string[] {
  const lines = problems.map(({ line, column, message }) => `${printable(name)}:${line}:${column} ${message}`);
  return more > 0 ? [...lines, andMore(more)] : lines;
}

/** As many as a person reads. */
const maxProblems = 50;

/** @param content the file's bytes, or its text */
export function readOrganizationFile(content: string | Uint8Array): FileResult {
  const text = typeof content === "string" ? content : decodeUtf8(content);
  if (typeof text !== "string") return { problems: [{ ...text, message: `the file ${notUtf8}` }], more: 0 };
  const lines = new LineCounter();
  const result = read(text, lines);
  if ("organization" in result) return result;
  const problems = result.problems.toSorted((a, b) => a.offset - b.offset);
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
      problems: [{ offset: 0, reason: "the file is empty: write {} if the organization is to declare nothing" }],
    };
  }

  const nodes = new Nodes(document);
  const unreadable = [...nodes.aliasProblems, ...nameProblems(document, nodes)];
  if (unreadable.length > 0) return { problems: unreadable };
  const value = valueOf(document);
  if (value instanceof ReferenceError) return { problems: [{ offset: 0, reason: tooManyAliases }] };
  const problems = problemsOf(organizationSchema, value, "an organization file", Infinity);
  const all = problems.length > 0 ? problems : furtherProblems(nodes, value as OrganizationFile);
  if (all.length === 0) return { organization: value as OrganizationFile };
  return {
    problems: all.map((problem) => {
      const subject = problem.property === "" ? "the file" : `${problem.property}:`;
      const reason = `${subject} ${problem.reason}${numberHint(document, problem.path)}`;
      return { offset: nodes.offsetOf(problem), reason };
    }),
  };
}

const tooManyAliases = "the aliases stand for too many values: write some of them out";

/** JavaScript would drop an entry named `__proto__`, and the first of two with one name, without a check. */
function nameProblems(document: Document.Parsed, nodes: Nodes): PlacedProblem[] {
  const problems: PlacedProblem[] = [];
  visit(document, {
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const name = nameOf(nodes.resolved(key));
        if (name === undefined) continue;
        const reason =
          name === "__proto__"
            ? "__proto__: cannot be a name here, choose another"
            : seen.has(name)
              ? `${name}: is there twice, and a name can be used once`
              : undefined;
        if (reason !== undefined) problems.push({ offset: startOf(key) ?? startOf(map) ?? 0, reason });
        seen.add(name);
      }
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

/** Finds nodes by their path. Every look-up takes the same time in a file of any size. */
class Nodes {
  /** Aliases without an anchor, and aliases that contain themselves. */
  readonly aliasProblems: PlacedProblem[] = [];
  readonly #root: unknown;
  readonly #targets = new Map<unknown, unknown>();
  readonly #pairs = new Map<YAMLMap, Map<string, Pair>>();

  constructor(document: Document.Parsed) {
    this.#root = document.contents;
    const anchors = new Map<string, unknown>();
    visit(document, {
      Node: (_key, node, ancestors) => {
        if (!isAlias(node)) {
          if (node.anchor !== undefined) anchors.set(node.anchor, node);
          return;
        }
        const target = anchors.get(node.source);
        this.#targets.set(node, target);
        if (target !== undefined && !ancestors.includes(target as (typeof ancestors)[number])) return;
        const reason = target ? "is inside its own anchor" : `has no anchor: no &${node.source} comes before it`;
        this.aliasProblems.push({ offset: startOf(node) ?? 0, reason: `*${node.source} ${reason}` });
      },
    });
  }

  /** What an alias stands for. */
  resolved(node: unknown): unknown {
    return isAlias(node) ? this.#targets.get(node) : node;
  }

  at(path: readonly PropertyKey[]): unknown {
    return path.reduce<unknown>((node, key) => this.resolved(this.#pairOf(node, key)?.value), this.#root);
  }

  /** The offset of the value at `path`; of its key, where the key is wrong or has no value; else of the nearest parent. */
  offsetOf({ path, isKey }: LocatedProblem): number {
    let node = this.#root;
    let offset = startOf(node) ?? 0;
    let keyOffset = offset;
    for (const key of path) {
      node = this.resolved(node);
      if (!isCollection(node)) break;
      const pair = this.#pairOf(node, key);
      keyOffset = startOf(pair?.key) ?? offset;
      offset = keyOffset;
      node = pair ? pair.value : node.get(key, true);
      offset = startOf(node) ?? offset;
    }
    return isKey ? keyOffset : offset;
  }

  /** The pair whose key has this text, whatever type YAML gives the key. */
  #pairOf(node: unknown, key: PropertyKey): Pair | undefined {
    if (!isMap(node)) return undefined;
    const pairs =
      this.#pairs.get(node) ?? new Map(node.items.map((pair) => [nameOf(this.resolved(pair.key)) ?? "", pair]));
    this.#pairs.set(node, pairs);
    return pairs.get(String(key));
  }
}

/** A key as JavaScript has it; undefined for a map or a list. */
function nameOf(key: unknown): string | undefined {
  return isScalar<string | number | null>(key) ? String(key.value ?? "") : undefined;
}

/** YAML reads 1.1 and 1.10, or 0x10 and 16, as the same number: a change of a trigger from one to the other would do nothing. */
function foldedTriggers(nodes: Nodes, { trunks = {}, webhooks = {} }: OrganizationFile): LocatedProblem[] {
  const sections: Record<string, Record<string, { triggers?: object | undefined }>> = { trunks, webhooks };
  return Object.entries(sections).flatMap(([section, entries]) =>
    Object.entries(entries).flatMap(([key, { triggers = {} }]) =>
      Object.keys(triggers)
        .map((name) => [section, key, "triggers", name])
        .filter((path) => isFolded(nodes.at(path)))
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

/** The problems of a file whose values are valid by themselves. */
function furtherProblems(nodes: Nodes, organization: OrganizationFile): LocatedProblem[] {
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
  return [...retentionProblems, ...networkProblems, ...twice, ...foldedTriggers(nodes, organization)];
}

/** With the name that the file uses for days. */
function shorteningsOf(kind: RetentionResource, { days, onDelete, allowShortening }: FilePolicy): Problem[] {
  const args = { retentionDays: days, onDelete: withRetentionDays(onDelete) as OnDelete, allowShortening };
  const usesDays = args.onDelete !== onDelete;
  return shortening(undefined, kind, args).map((problem) => ({
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
