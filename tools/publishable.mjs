/**
 * Checks that the package may be published. `npm publish` runs it, and so does the release workflow, with the tag:
 *
 *     node tools/publishable.mjs [v1.2.3]
 */
import { readFileSync } from "node:fs";
import process from "node:process";

const { version, homepage, repository } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const tag = process.argv[2];

const problems = [];
if (repository === undefined) problems.push("package.json has no repository, where users find the sources");
if (homepage === undefined) problems.push("package.json has no homepage, the address of the documentation");
if (tag !== undefined && tag !== `v${version}`)
  problems.push(`the tag is ${tag}, the version in package.json ${version}`);

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
