/** The command line in this process, as `run` of src/cli has it: without an engine on PATH and the developer's environment variables. */
import { Readable, Writable } from "node:stream";
import type { Io } from "../../src/cli/commander";
import { run as runCommand } from "../../src/cli/run";

interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

class Output extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** One at a time: it changes the current folder of this process. */
export async function run(
  args: readonly string[],
  cwd = process.cwd(),
  env: Readonly<Record<string, string>> = {},
): Promise<Printed> {
  const [stdout, stderr, before] = [new Output(), new Output(), process.cwd()];
  const given = { stdin: Readable.from([]), stdout, stderr, env: { PATH: "/nowhere", ...env }, exitCode: 0 };
  const io = given as unknown as Io;
  process.chdir(cwd);
  try {
    await runCommand(args, io);
  } finally {
    process.chdir(before);
  }
  return { code: Number(io.exitCode), stdout: stdout.text, stderr: stderr.text };
}

/** For an approved text. */
export const printed = ({ code, stdout, stderr }: Printed): string =>
  [...(stdout === "" ? [] : [stdout]), ...(stderr === "" ? [] : [`stderr: ${stderr}`]), `exit code ${code}`].join("\n");
