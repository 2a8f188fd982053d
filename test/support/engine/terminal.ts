/** A command on a pseudo-terminal, where a person would type. */
import { spawn } from "node:child_process";

const python = `
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
`;

/**
 * @param replies what is typed, or is done and then typed, once the terminal shows the text that it belongs to
 * @returns what the terminal showed. All of the command's streams are in it
 */
export async function onTerminal(
  [program, ...args]: readonly [program: string, ...args: string[]],
  {
    cwd,
    env,
    replies,
  }: { cwd: string; env: NodeJS.ProcessEnv; replies: Readonly<Record<string, string | (() => string)>> },
): Promise<{ readonly code: number | null; readonly shown: string }> {
  // The time limit ends a command whose question nobody answers, so that its test fails and says what was shown.
  const child = spawn("python3", ["-c", python, program, ...args], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
    timeout: 120_000,
  });
  let shown = "";
  const left = new Map(Object.entries(replies));
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    for (const [text, reply] of left) {
      if (!shown.includes(text)) continue;
      left.delete(text);
      child.stdin.write(typeof reply === "string" ? reply : reply());
    }
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, shown: shown.replaceAll("\r", "") };
}
