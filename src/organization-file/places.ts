/** The line of an organization file that declares a change. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { LineCounter, isAlias, isMap, isScalar, type Document, type Pair } from "yaml";
import { printable } from "../client/printable.js";
import { parseYaml } from "./document.js";
import { sections, type Section } from "./entries.js";

/** An entry of the organization, by its resource. */
export interface Entry {
  readonly type: string;
  readonly key: string;
  /** The object's id. */
  readonly id: unknown;
  /** The arguments that changed. */
  readonly edited: readonly string[];
}

/** "organization.yaml:12", the first changed line, otherwise that of the entry; undefined if the file does not declare it. */
export type PlaceOf = (entry: Entry) => string | undefined;

const nowhere: PlaceOf = () => undefined;

/** Larger than any organization file. The preview may name any file. */
const maxBytes = 4_194_304;

/** @param name from the stack's configuration, which a stranger may have written: only a file in this folder is read */
export function placesIn(folder: string, name: string): PlaceOf {
  const file = path.resolve(folder, name);
  const relative = path.relative(folder, file);
  if (relative.startsWith("..") || path.isAbsolute(relative)) return nowhere;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > maxBytes) return nowhere;
  return placesInText(readFileSync(file, "utf8"), name);
}

/** @param name the file, for people */
export function placesInText(text: string, name: string): PlaceOf {
  const lines = new LineCounter();
  const { document, problems } = parseYaml(text, lines);
  if (!document || problems.length > 0) return nowhere;
  return (entry) => {
    const offset = offsetOf(document, entry);
    return offset === undefined ? undefined : `${printable(name)}:${lines.linePos(offset).line}`;
  };
}

function offsetOf(document: Document, { type, key, id, edited }: Entry): number | undefined {
  const all: [string, Section][] = Object.entries(sections);
  const [name, section] = all.find(([, each]) => each.type === type) ?? [];
  if (name === undefined || !section) return undefined;
  const entry = below(below(document.contents, name, document)?.value, key, document);
  if (!entry) return undefined;
  // An entry of the same name may belong to another organization or file.
  const own = section.key === undefined ? scalarOf(below(entry.value, "id", document)?.value) : key;
  if (own !== id) return undefined;
  const names = Object.entries(section.names);
  const offsets = edited.flatMap((argument) => {
    const [inFile = argument] = names.find(([, each]) => each === argument) ?? [];
    return startOf(below(entry.value, inFile, document)) ?? [];
  });
  return offsets.length > 0 ? Math.min(...offsets) : startOf(entry);
}

/** The pair of a map or of an alias to one. */
function below(node: unknown, key: string, document: Document): Pair | undefined {
  const map = isAlias(node) ? node.resolve(document) : node;
  return isMap(map) ? map.items.find((item) => isScalar(item.key) && String(item.key.value) === key) : undefined;
}

function scalarOf(node: unknown): unknown {
  return isScalar(node) ? node.value : undefined;
}

function startOf(pair: Pair | undefined): number | undefined {
  return isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
}
