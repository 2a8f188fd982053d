/** The documents that users and contributors read, and what is in them. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(__dirname, "../..");

export const documents = globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], {
  cwd: root,
  exclude: (name) => name === "node_modules",
}).sort();

export function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

export interface Block {
  readonly file: string;
  /** Line of the fence, from 1. */
  readonly line: number;
  readonly language: string;
  /**
   * What the fence says after the language: a file's name, what the tests are to do with the block, or "signature" in the
   * reference, which is no program. Mostly empty.
   */
  readonly role: string;
  readonly text: string;
}

export const blocks: Block[] = documents.flatMap(blocksOf);

function blocksOf(file: string): Block[] {
  const text = read(file);
  return [...text.matchAll(/^```(\S+) ?([^\n]*)\n(.*?)^```$/gms)].map((match) => ({
    file,
    line: text.slice(0, match.index).split("\n").length,
    language: match[1] ?? "",
    role: match[2] ?? "",
    text: match[3] ?? "",
  }));
}

/** A document without its blocks of code. */
export function prose(file: string): string {
  return read(file).replace(/^```.*?^```$/gms, "");
}
