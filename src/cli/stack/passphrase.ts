/** Asks for the passphrase of a stack. Pulumi asks only if its own output is a terminal, and here that is a file or a pipe. */
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { given } from "../../values/environment.js";
import { printableLine } from "../../values/text.js";
import type { Io } from "../commander.js";
import { queryPulumi, selectedStack } from "../pulumi/cli.js";
import { hasPassphrase, projectAbove } from "../pulumi/project.js";

/**
 * Sets PULUMI_CONFIG_PASSPHRASE for this process and those that it starts, unless it is set, nobody can be asked, or the stack needs none.
 *
 * @param named undefined for the selected stack
 */
export async function askPassphrase(io: Io, folder: string, named: string | undefined): Promise<void> {
  const { env, stdin, stderr } = io;
  // An empty passphrase is one too.
  const isGiven = env.PULUMI_CONFIG_PASSPHRASE !== undefined || given(env.PULUMI_CONFIG_PASSPHRASE_FILE) !== undefined;
  const project = projectAbove(folder);
  if (isGiven || !stdin.isTTY || !stderr.isTTY || project === undefined) return;
  const stack = named ?? (await selectedStack(queryPulumi(env), folder));
  if (stack === undefined || !hasPassphrase(project, stack)) return;
  const passphrase = await hiddenLine(io, `Passphrase of the stack ${printableLine(stack)}: `);
  if (passphrase === undefined) throw new Error("no passphrase was entered");
  env.PULUMI_CONFIG_PASSPHRASE = passphrase;
}

/** A line from the terminal, which does not show it; undefined if the input ended or was interrupted. */
async function hiddenLine({ stdin, stderr }: Io, prompt: string): Promise<string | undefined> {
  const nowhere = new PassThrough().resume();
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  // From here on, the terminal shows nothing that is typed.
  stderr.write(prompt);
  try {
    for await (const line of lines) return line;
    return undefined;
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
