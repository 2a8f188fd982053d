import { access, constants, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { run } from "../run.mjs";
import { isUsable, NEEDED_ENGINE } from "./versions.mjs";

const ANSWER_MS = 10_000;
const suffixes = process.platform === "win32" ? [".exe", ".cmd"] : [""];

/** Searches like a shell, which skips folders and non-executable files of the same name. */
async function isProgram(file) {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** The path of a program in the first of these folders that has it. */
async function findProgram(name, folders) {
  for (const folder of folders) {
    for (const suffix of suffixes) {
      const candidate = path.join(folder, name + suffix);
      if (await isProgram(candidate)) return candidate;
    }
  }
  return undefined;
}

/**
 * Route 1: the user's own Pulumi CLI, if this project supports its version and it can run Node programs.
 *
 * @throws {Error} that says why there is none.
 */
export async function engineFromPath({ env }) {
  // npm puts its package `pulumi` onto the PATH of scripts: that is the next route.
  const isOfNpm = (folder) => folder.endsWith(path.join("node_modules", ".bin"));
  const folders = (env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "" && !isOfNpm(folder));
  const command = await findProgram("pulumi", folders);
  if (!command) throw new Error("there is no pulumi");

  const quiet = { ...env, PULUMI_SKIP_UPDATE_CHECK: "1" };
  const { code, stdout } = await run(command, ["version"], { env: quiet, timeout: ANSWER_MS });
  const version = stdout.trim().replace(/^v/, "");
  if (code !== 0) throw new Error(`"${command} version" fails`);
  if (!isUsable(version)) throw new Error(`${command} is ${version}, ${NEEDED_ENGINE} is needed`);

  const beside = [path.dirname(await realpath(command)), ...folders];
  for (const name of ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]) {
    if (!(await findProgram(name, beside))) throw new Error(`${command} has no ${name} next to it`);
  }
  return { dir: path.dirname(command), version };
}
