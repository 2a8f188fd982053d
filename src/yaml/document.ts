/** YAML with the place of each value. It knows no organization, and no text of it repeats a value: the file may be any file. */
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type YAMLError } from "yaml";
import { tried } from "../values/any.js";
import { problem, type Diagnostic, type Position } from "../values/diagnostic.js";

export interface YamlDocument {
  /** Undefined if there are problems. */
  readonly value: unknown;
  readonly problems: readonly Diagnostic[];
  /** Where the value is, or its key. What is not in the text is at its nearest parent, up to an alias. */
  placeOf(path: readonly PropertyKey[], isKey?: boolean): Position;
  /** Where the key is; undefined if the text does not have it. */
  placeOfKey(path: readonly PropertyKey[]): Position | undefined;
  /** A scalar as it is written; undefined for anything else. */
  sourceOf(path: readonly PropertyKey[]): string | undefined;
}

export function readYaml(text: string): YamlDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    ...{ lineCounter: lines, prettyErrors: false, resolveKnownTags: false },
    // The library would print warnings that repeat the text.
    logLevel: "error",
  });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const wrong = (reason: string, offset: number) => ({
    ...problem("invalid-yaml", reason),
    place: positionAt(offset),
  });
  const problems = [...document.errors, ...document.warnings].map((error) => wrong(reasonOf(error), error.pos[0]));
  const value = problems.length > 0 ? undefined : tried(() => plainValue(document.toJS()));
  if (problems.length === 0 && value === undefined)
    problems.push(wrong("the aliases have no end, or too many values: write some of them out", 0));

  const locate = (path: readonly PropertyKey[]) => {
    let node: unknown = document.contents;
    let [key, offset, isFound] = [startOf(node) ?? 0, startOf(node) ?? 0, true];
    for (const name of path) {
      const pair = isMap(node) ? node.items.find((each) => nameOf(each.key) === String(name)) : undefined;
      const item: unknown = pair ? pair.value : isSeq(node) ? node.items[Number(name)] : undefined;
      isFound &&= pair !== undefined || item !== undefined;
      if (!isFound) break;
      key = startOf(pair?.key) ?? startOf(item) ?? offset;
      offset = startOf(item) ?? key;
      node = item;
    }
    return { node, key, offset, isFound };
  };
  return {
    value,
    problems,
    placeOf: (path, isKey = false) => positionAt(locate(path)[isKey ? "key" : "offset"]),
    placeOfKey(path) {
      const { key, isFound } = locate(path);
      return isFound ? positionAt(key) : undefined;
    },
    sourceOf(path) {
      const { node, isFound } = locate(path);
      return isFound && isScalar(node) ? node.source : undefined;
    },
  };
}

/** @throws TypeError for an alias of what it is in */
const plainValue = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const nameOf = (key: unknown): string | undefined => (isScalar(key) ? String(key.value) : undefined);

/** Undefined for an empty value, which has no text: its key is the better place. */
const startOf = (node: unknown): number | undefined =>
  isNode(node) && !(isScalar(node) && node.value === null) ? node.range?.[0] : undefined;

/** The errors whose messages repeat nothing of the text. */
const harmless = new Set([
  "BAD_INDENT",
  "BLOCK_AS_IMPLICIT_KEY",
  "BLOCK_IN_FLOW",
  "DUPLICATE_KEY",
  "MISSING_CHAR",
  "TAB_AS_INDENT",
]);

const reasons: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: "a second document begins here: a file can have only one",
  RESOURCE_EXHAUSTION: "maps and lists are nested too deep here",
  TAG_RESOLVE_FAILED: "a tag cannot be used here: remove it",
};

const reasonOf = ({ code, message }: YAMLError | { readonly code: string; readonly message: string }): string =>
  harmless.has(code) ? message : (reasons[code] ?? "the file is not valid YAML here");
