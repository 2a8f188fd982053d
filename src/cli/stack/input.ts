import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { codeOf } from "../../values/any.js";
import type { Io } from "../commander.js";

/** The text of a file that the user named. */
export function contents(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${codeOf(error) ?? String(error)})`, { cause: error });
  }
}

/** Like {@link contents}, and "-" is standard input. It is read for that only: a runner may give an empty pipe, or one that never ends. */
export const contentsOrInput = async ({ stdin }: Io, file: string): Promise<string> =>
  file === "-" ? text(stdin) : contents(file);
