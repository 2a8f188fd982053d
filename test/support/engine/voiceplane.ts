/** The `voiceplane` command in a project, on the package as packed. */
import { join } from "node:path";
import type { Finished } from "../processes";
import { start } from "./command";
import { installedPackage } from "./installation";
import type { Project } from "./project";

export const cli = join(installedPackage(), "dist/cli/index.js");

export const voiceplane = (
  { folder, environment }: Project,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Finished> =>
  start(process.execPath, [cli, ...args], { cwd: folder, env: { ...environment, ...env } }).finished;
