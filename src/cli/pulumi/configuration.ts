/** Reads the configuration in Pulumi.yaml or in a stack's file, with lines and without decryption. */
import { readFileSync } from "node:fs";
import { isMap, isNode, isScalar, LineCounter } from "yaml";
import { decodeUtf8, notUtf8, parseYaml } from "../../yaml/document.js";
import { isObject, tried } from "../../values/any.js";
import { problem, type Diagnostic, type Position } from "../../values/diagnostic.js";
import { isFile } from "./files.js";

export interface Setting {
  readonly secret: boolean;
  /** Undefined for a secret that is not decrypted, a map or a list. */
  readonly text: string | undefined;
  readonly place: Position;
}

export interface Configuration {
  readonly path: string;
  /** By key, with its namespace if it has one. */
  readonly values: ReadonlyMap<string, Setting>;
  /** Whether environments of Pulumi ESC add values. */
  readonly imports: boolean;
  /** Why it cannot be read. */
  readonly problems: readonly Diagnostic[];
}

export const namespace = "voiceplane:";

/** Reads Pulumi.yaml or Pulumi.<stack>.yaml, or the same file as JSON. A missing file counts as an empty one. */
export function readConfiguration(path: string): Configuration {
  const text = isFile(path) ? decodeUtf8(readFileSync(path)) : "";
  const values = new Map<string, Setting>();
  if (typeof text !== "string") {
    return { path, values, imports: false, problems: [{ ...problem("not-utf8", `the file ${notUtf8}`), place: text }] };
  }
  const lines = new LineCounter();
  const { document, problems: syntax } = parseYaml(text, lines);
  const placeOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const config = document?.get("config");
  for (const { key, value } of isMap(config) ? config.items : []) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    const plain = tried<unknown>(() => (isNode(value) && document ? value.toJS(document) : undefined));
    values.set(name, { place: placeOf(key.range?.[0] ?? 0), ...settingOf(name, plain) });
  }
  // The text of the YAML parser's own message may repeat a part of a token.
  const problems = syntax.map((each) => ({ ...each, text: "is not valid YAML here" }));
  return { path, values, imports: document?.has("environment") === true, problems };
}

function settingOf(name: string, value: unknown): Omit<Setting, "place"> {
  if (!isObject(value)) return { secret: false, text: textOf(value) };
  if ("secure" in value) return { secret: true, text: undefined };
  // Only the project's own keys, which have no namespace, have a default.
  return { secret: false, text: textOf(value.value ?? (name.includes(":") ? undefined : value.default)) };
}

const textOf = (value: unknown): string | undefined =>
  ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
