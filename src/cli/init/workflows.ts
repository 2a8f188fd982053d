/** The workflows of a new project are those of the examples, which are tested: they are kept in one place. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../manifest.js";

/** The two that every team wants; those that run by the clock are a decision of their own. */
const names = ["preview", "up"];

/** Files by path, relative to the project. */
export function workflows(): Record<string, string> {
  const folder = join(packageFolder, "examples/pipelines/github");
  return Object.fromEntries(
    names.map((name) => [
      `.github/workflows/voiceplane-${name}.yml`,
      readFileSync(join(folder, `${name}.yml`), "utf8"),
    ]),
  );
}
