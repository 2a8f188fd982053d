/** The plain values that a file of Pulumi's has for this package, with their places. Nothing is decrypted. */
import { readFileSync } from "node:fs";
import { LineCounter, isMap, isScalar, parseDocument } from "yaml";
import type { Problem } from "./problem.js";

export interface StackValue {
  readonly line: number;
  readonly column: number;
  /** Undefined for a secret, and for what is no text, number or boolean. */
  readonly text: string | undefined;
  readonly secret: boolean;
}

export interface StackFile {
  readonly name: string;
  /** By key, without the namespace "voiceplane:". */
  readonly values: ReadonlyMap<string, StackValue>;
  /** Whether environments of Pulumi ESC add to the values. */
  readonly imports: boolean;
  readonly problems: readonly Problem[];
}

export const namespace = "voiceplane:";

/**
 * @param path of Pulumi.yaml or Pulumi.<stack>.yaml, or the same as JSON
 * @param name how problems call it
 */
export function readStackFile(path: string, name: string): StackFile {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(path, "utf8"), { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const values = new Map<string, StackValue>();
  const config = document.get("config");
  for (const { key, value } of isMap(config) ? config.items : []) {
    if (!isScalar(key) || !String(key.value).startsWith(namespace)) continue;
    const secret = isMap(value) && value.has("secure");
    const plain = isMap(value) && !secret ? value.get("value", true) : value;
    values.set(String(key.value).slice(namespace.length), {
      ...placeOf(key.range?.[0] ?? 0),
      text: textOf(plain),
      secret,
    });
  }
  const problems = document.errors.map(({ pos, message }) => ({ file: name, ...placeOf(pos[0]), message }));
  return { name, values, imports: document.has("environment"), problems };
}

function textOf(node: unknown): string | undefined {
  const value: unknown = isScalar(node) ? node.value : undefined;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}
