/** The first import of programs and providers: fails on an old Node, in one line. */
import { nodeProblem } from "../node-version.js";

const oldNode = nodeProblem();
if (oldNode !== undefined) {
  const error = new Error(oldNode);
  // Pulumi prints the stacks of errors, except of those that are marked as the user's own.
  error.stack = "";
  throw Object.assign(error, { __pulumiRunError: true });
}
