/** The `voiceplane` command in a project, on the package as packed. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ended, type Finished } from "../processes";
import { installedPackage } from "./installation";
import type { Project } from "./project";

export async function voiceplane(
  { folder, environment }: Project,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  const cli = join(installedPackage(), "dist/cli/index.js");
  return ended(
    spawn(process.execPath, [cli, ...args], {
      cwd: folder,
      env: { ...environment, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
}

/** The lines of one of doctor's checks, with single spaces. */
export async function doctor(stack: Project, check: string): Promise<string[]> {
  const { stdout } = await voiceplane(stack, ["doctor", "--stack", "dev"]);
  const lines = stdout.split("\n").map((line) => line.replaceAll(/ +/g, " "));
  return lines.filter((line) => line.split(" ")[1] === check);
}
