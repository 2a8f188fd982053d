/** Finds the nodes of a document by their path, up to an alias. Every look-up takes the same time in a file of any size. */
import { isCollection, isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap } from "yaml";
import { composed } from "../values/text.js";

export class Nodes {
  readonly #pairs = new Map<YAMLMap, Map<string, Pair>>();

  /** @param root the node at which paths begin */
  constructor(private readonly root: unknown) {}

  /** The same nodes, with paths that begin at this one. */
  below(path: readonly PropertyKey[]): Nodes {
    return new Nodes(this.at(path));
  }

  at(path: readonly PropertyKey[]): unknown {
    return path.reduce<unknown>((node, key) => this.#memberOf(node, key), this.root);
  }

  pairAt(path: readonly [...parents: PropertyKey[], key: PropertyKey]): Pair | undefined {
    return this.#pairOf(this.at(path.slice(0, -1)), path.at(-1) ?? "");
  }

  /** Where the value at `path` begins, or with `isKey` its key. Without the value it is the key, and without both the nearest parent or alias. */
  offsetOf(path: readonly PropertyKey[], isKey = false): number {
    let node = this.root;
    let offset = startOf(node) ?? 0;
    let keyOffset = offset;
    for (const key of path) {
      if (!isCollection(node)) break;
      keyOffset = startOf(this.#pairOf(node, key)?.key) ?? offset;
      offset = keyOffset;
      node = this.#memberOf(node, key);
      offset = startOf(node) ?? offset;
    }
    return isKey ? keyOffset : offset;
  }

  #memberOf(node: unknown, key: PropertyKey): unknown {
    return isSeq(node) ? node.items[Number(key)] : this.#pairOf(node, key)?.value;
  }

  /** The pair whose key has this text, whatever its type in YAML. */
  #pairOf(node: unknown, key: PropertyKey): Pair | undefined {
    if (!isMap(node)) return undefined;
    const pairs = this.#pairs.get(node) ?? new Map(node.items.map((pair) => [nameOf(pair.key) ?? "", pair]));
    this.#pairs.set(node, pairs);
    return pairs.get(composed(String(key)));
  }
}

/** A key as text, with composed letters; undefined for a map, a list or an alias. */
export const nameOf = (key: unknown): string | undefined =>
  isScalar<string | number | null>(key) ? composed(String(key.value ?? "")) : undefined;

/** Where the text of a node begins. Undefined for an empty value, which has no text: its key is the better place. */
export function startOf(node: unknown): number | undefined {
  if (!isNode(node) || (isScalar(node) && node.value === null)) return undefined;
  return node.range?.[0];
}
