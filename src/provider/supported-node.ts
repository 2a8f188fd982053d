/** The first import of programs and providers: fails on an old Node, in one line. */
import { nodeProblem } from "../node-version.js";

const problem = nodeProblem();
if (problem !== undefined) {
  const error = new Error(problem);
  // Pulumi prints the stacks of errors, except of those that are marked as the user's own.
  error.stack = "";
  throw Object.assign(error, { __pulumiRunError: true });
}
