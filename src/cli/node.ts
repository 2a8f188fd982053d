/** The command's first import: says in one line which Node is needed, where an old one would fail in one of the others. */
import { nodeProblem } from "../provider/node-version.js";

const problem = nodeProblem();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
