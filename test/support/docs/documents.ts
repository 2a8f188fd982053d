/** The documents for users and contributors, and their code blocks. */
import { globSync } from "node:fs";
import { read, root } from "../repository";

export const documents = globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], {
  cwd: root,
  exclude: (name) => name === "node_modules",
}).sort();

export interface Block {
  readonly file: string;
  /** The line of the fence, from 1. */
  readonly line: number;
  readonly language: string;
  /**
   * The text after the language on the fence: a file's name, what the tests do with the block, or "signature" in the
   * reference, which is not a program. Usually empty.
   */
  readonly role: string;
  readonly text: string;
}

export const blocks: Block[] = documents.flatMap((file) => blocksOf(file, read(file)));

/** The examples in the descriptions of schema.json. */
export const schemaBlocks: Block[] = Object.entries(
  (JSON.parse(read("schema.json")) as { resources: Record<string, { description: string }> }).resources,
).flatMap(([type, { description }]) => blocksOf(`schema.json#${type.split(":").at(-1) ?? ""}`, description));

function blocksOf(file: string, text: string): Block[] {
  return [...text.matchAll(/^```(\S+) ?([^\n]*)\n(.*?)^```$/gms)].map((match) => ({
    file,
    line: text.slice(0, match.index).split("\n").length,
    language: match[1] ?? "",
    role: match[2] ?? "",
    text: match[3] ?? "",
  }));
}

/** A document without its code blocks. */
export function prose(file: string): string {
  return read(file).replace(/^```.*?^```$/gms, "");
}

/** Fails unless a block shows lines that were printed, in order. "…" stands for anything. */
export function compare({ file, line, text }: Block, printed: string): void {
  const flat = (lines: string): string => lines.replaceAll(/\s+/g, " ").trim();
  let rest = flat(printed);
  for (const part of text.split(/…|\n/).map(flat)) {
    const at = rest.indexOf(part);
    if (at < 0) throw new Error(`${file}:${line} shows\n${part}\nand the commands before it printed\n${printed}`);
    rest = rest.slice(at + part.length);
  }
}
