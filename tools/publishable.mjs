/**
 * Checks that the package may be published. `npm publish` runs it, and so does the release workflow, with the tag:
 *
 *     node tools/publishable.mjs [v1.2.3]
 */
import { readFileSync } from "node:fs";
import process from "node:process";

const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const { version } = JSON.parse(text);
const tag = process.argv[2];

const problems = [];
if (/\bOWNER\b/.test(text))
  problems.push("package.json still has the placeholder OWNER instead of the repository's owner");
if (tag !== undefined && tag !== `v${version}`)
  problems.push(`the tag is ${tag}, the version in package.json ${version}`);

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
