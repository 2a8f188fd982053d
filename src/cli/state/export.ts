/** The state of a stack, as the CLI exports it. */
import { cleanText } from "../../values/text.js";
import type { Environment } from "../../values/environment.js";
import { failureOf, jsonIn, type Pulumi } from "../pulumi/cli.js";
import { projectAbove, secretsIn, shortName, stackNamesIn } from "../pulumi/project.js";
import { readStackState, type StackState } from "./state.js";

/** There is no state, although the project has the file of the stack. */
export class MissingStateError extends Error {}

/**
 * @param stack undefined for the selected one
 * @throws MissingStateError, or another Error
 */
export async function exportedState(
  pulumi: Pulumi,
  stack: string | undefined,
  { folder, env }: { readonly folder: string; readonly env: Environment },
): Promise<StackState> {
  const finished = await pulumi(["stack", "export", ...(stack === undefined ? [] : ["--stack", stack])]);
  if (finished.code === 0) return readStackState(jsonIn(finished.stdout));
  // The CLI's error says that there is no such stack, or that the backend is not reachable or refuses the token.
  const error = cleanText(failureOf(finished), secretsIn(folder, env)) ?? "";
  const subject = `the state of ${stack === undefined ? "the selected stack" : `the stack ${stack}`} cannot be read`;
  const missing = missingStateText(error, stack, folder);
  if (missing !== undefined) throw new MissingStateError(`${subject}: ${missing}`);
  throw new Error(`${subject}: ${error}`);
}

/**
 * What to do if there is no state, although the project has the file of the stack. The CLI's own advice is `pulumi stack init`, but the first update
 * of a new stack would send everything again. Undefined for another error.
 */
function missingStateText(error: string, stack: string | undefined, folder: string): string | undefined {
  if (stack === undefined) return error.includes("no stack selected") ? unselectedFiles(folder) : undefined;
  const isKnown = stacksWithFiles(folder).includes(shortName(stack)) && error.includes("no stack named");
  return isKnown ? `the project has a file of this stack, and ${lost}` : undefined;
}

const lost = "its state is missing or in another backend. Do not create it anew: restore the state first";

function stacksWithFiles(folder: string): readonly string[] {
  const project = projectAbove(folder);
  return project ? stackNamesIn(project) : [];
}

/** What to do if no stack is selected. Undefined if the project has no stack's file. */
export function unselectedFiles(folder: string): string | undefined {
  const names = stacksWithFiles(folder);
  if (names.length === 0) return undefined;
  const name = names.length === 1 ? names.join("") : "NAME";
  return `no stack is selected, and the project has files of ${names.join(", ")}: run \`pulumi stack select ${name}\`. If there is no such stack, ${lost}`;
}
