import { readFileSync } from "node:fs";

/** The text of a file that the user named. */
export function contents(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Error(`${file} cannot be read (${code})`, { cause: error });
  }
}
