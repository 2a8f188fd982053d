/** Finds the nodes of a document by their path. Every look-up takes the same time in a file of any size. */
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  visit,
  type Document,
  type LineCounter,
  type Pair,
  type YAMLMap,
} from "yaml";
import { problem, type Diagnostic } from "../values/diagnostic.js";
import { placed } from "./document.js";

export class Nodes {
  readonly #pairs = new Map<YAMLMap, Map<string, Pair>>();

  private constructor(
    /** The node at which paths begin. */
    private readonly root: unknown,
    /** The node that each alias stands for. */
    private readonly targets: ReadonlyMap<unknown, unknown>,
    /** The problems of aliases without an anchor, and of aliases that contain themselves. */
    readonly aliasProblems: readonly Diagnostic[],
  ) {}

  static of(document: Document.Parsed, lines: LineCounter): Nodes {
    const anchors = new Map<string, unknown>();
    const targets = new Map<unknown, unknown>();
    const problems: Diagnostic[] = [];
    visit(document, {
      Node: (_key, node, ancestors) => {
        if (!isAlias(node)) {
          if (node.anchor !== undefined) anchors.set(node.anchor, node);
          return;
        }
        const target = anchors.get(node.source);
        targets.set(node, target);
        if (target !== undefined && !ancestors.includes(target as (typeof ancestors)[number])) return;
        const text = target
          ? "the alias here is inside its own anchor"
          : "the alias here has no anchor: define the anchor before it";
        problems.push(placed(problem("alias", text), lines, startOf(node) ?? 0));
      },
    });
    return new Nodes(document.contents, targets, problems);
  }

  /** The same nodes, with paths that begin at this one. */
  below(path: readonly PropertyKey[]): Nodes {
    return new Nodes(this.at(path), this.targets, this.aliasProblems);
  }

  /** What an alias stands for; any other node itself. */
  resolved(node: unknown): unknown {
    return isAlias(node) ? this.targets.get(node) : node;
  }

  /** A key as JavaScript has it; undefined for a map or a list. */
  nameOf(key: unknown): string | undefined {
    const node = this.resolved(key);
    return isScalar<string | number | null>(node) ? String(node.value ?? "") : undefined;
  }

  at(path: readonly PropertyKey[]): unknown {
    return path.reduce<unknown>((node, key) => this.resolved(this.#pairOf(node, key)?.value), this.root);
  }

  pairAt(path: readonly [...parents: PropertyKey[], key: PropertyKey]): Pair | undefined {
    return this.#pairOf(this.at(path.slice(0, -1)), path.at(-1) ?? "");
  }

  /** The offset of the value at `path`; of its key, if the key is wrong or has no value; otherwise of the nearest parent. */
  offsetOf(path: readonly PropertyKey[], isKey = false): number {
    let node = this.root;
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

  /** The pair whose key has this text, whatever its type in YAML. */
  #pairOf(node: unknown, key: PropertyKey): Pair | undefined {
    if (!isMap(node)) return undefined;
    const pairs = this.#pairs.get(node) ?? new Map(node.items.map((pair) => [this.nameOf(pair.key) ?? "", pair]));
    this.#pairs.set(node, pairs);
    return pairs.get(String(key));
  }
}

/** Where the text of a node begins. Undefined for an empty value, which has no text: its key is the better place. */
export function startOf(node: unknown): number | undefined {
  if (!isNode(node) || (isScalar(node) && node.value === null)) return undefined;
  return node.range?.[0];
}
