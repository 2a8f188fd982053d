/** The command's first import. It says in one line which Node is needed, because an old one fails in a later import. */
import { nodeProblem } from "../node-version.js";

const problem = nodeProblem();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
