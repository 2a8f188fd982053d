/** The workflows of a new project are those of the examples, which are tested: they are kept in one place. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../manifest.js";

/** All of the examples' files by path, relative to the project. */
export function workflows(): Record<string, string> {
  const folder = join(packageFolder, "examples/pipelines/github");
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [`.github/workflows/voiceplane-${name}`, readFileSync(join(folder, name), "utf8")]),
  );
}
