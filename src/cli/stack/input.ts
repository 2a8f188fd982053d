import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { codeOf } from "../../values/any.js";
import type { Io } from "../commander.js";

export function contents(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${codeOf(error) ?? String(error)})`, { cause: error });
  }
}

/** Standard input is read only for "-": a runner may give an empty pipe, or one that never ends. */
export const contentsOrInput = async ({ stdin }: Io, file: string): Promise<string> =>
  file === "-" ? text(stdin) : contents(file);
