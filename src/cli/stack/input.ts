/** Reads the files that options name. */
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { codeOf } from "../../values/any.js";
import type { Io } from "../commander.js";

export function fileText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${codeOf(error) ?? String(error)})`, { cause: error });
  }
}

/** The text of a file, or of standard input if the file is "-": a runner may give an empty pipe, or one that never ends. */
export const fileOrInputText = async ({ stdin }: Io, file: string): Promise<string> =>
  file === "-" ? text(stdin) : fileText(file);
