import { readFileSync } from "node:fs";
import { codeOf } from "../values.js";

/** The text of a file that the user named. */
export function contents(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${codeOf(error) ?? String(error)})`, { cause: error });
  }
}
