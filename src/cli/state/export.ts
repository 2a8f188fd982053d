/** The state of a stack, as the CLI exports it. */
import { cleanText } from "../../values/text.js";
import type { Environment } from "../../values/environment.js";
import type { QueryPulumi } from "../pulumi/cli.js";
import { secretsIn } from "../pulumi/project.js";
import { readStackState, type StackState } from "./state.js";

/** @param stack undefined for the selected one */
export async function exportedState(
  pulumi: QueryPulumi,
  stack: string | undefined,
  { folder, env }: { readonly folder: string; readonly env: Environment },
): Promise<StackState> {
  const args = ["stack", "export", ...(stack === undefined ? [] : ["--stack", stack])];
  const answer = await pulumi(args, folder);
  if (answer.kind === "done") return readStackState(answer.stdout);
  // The CLI's error is about the stack or the backend: there is none of the name, it is not reachable, or it refuses a token.
  const error = answer.kind === "failed" ? cleanText(answer.error, secretsIn(folder, env)) : undefined;
  const what = answer.kind === "missing" ? "there is no `pulumi` on the PATH" : (error ?? answer.why);
  const which = stack === undefined ? "the selected stack" : `the stack ${stack}`;
  throw new Error(`the state of ${which} cannot be read: ${what}`);
}
