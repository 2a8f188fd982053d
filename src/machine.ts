/** What every process of this package asks the machine: who runs, where ids mean something, and which folder is this user's alone. */
import { lstatSync, mkdirSync, readFileSync, readlinkSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { codeOf, tried } from "./values/any.js";
import { diagnosticText, problem, type Diagnostic } from "./values/diagnostic.js";
import { type Environment, given } from "./values/environment.js";

/** Whether this machine has a process of this id, which may be another user's. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Where ids of processes and ports mean the same: this boot of Linux and the namespaces of this process. Undefined on other systems. */
export const placeOnLinux = (): string | undefined =>
  tried(() => {
    const links = ["pid", "net"].map((name) => readlinkSync(`/proc/self/ns/${name}`));
    return [readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(), ...links].join(" ");
  });

/** The home that the Pulumi CLI uses. It is the one of the user database, which may differ from HOME in the container of a pipeline's job. */
export const homeOf = (env: Environment): string => given(tried(() => userInfo().homedir)) ?? given(env.HOME) ?? "/";

/** Runs what writes into the temporary folder. Its errors say which variable to set. */
export function inTemporaryFolder<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const advice = "set TMPDIR to a folder with room for this user";
    throw new Error(`the temporary folder ${tmpdir()} cannot be used (${code}): ${advice}`, { cause: error });
  }
}

/**
 * `VOICEPLANE_STATE_DIR`, or the platform's folder for the state of programs.
 *
 * @throws Error if the variable is not an absolute path: a provider and a command may run in different folders
 */
export function stateFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const wrong = stateFolderProblem(env);
  if (wrong !== undefined) throw new Error(diagnosticText(wrong));
  const own = given(env.VOICEPLANE_STATE_DIR);
  if (own !== undefined) return own;
  // An unknown user of a container has no home: then nothing can be remembered, which a warning says.
  const home = given(env.HOME) ?? tried(homedir) ?? "/";
  if (platform === "darwin") return join(home, "Library/Application Support/voiceplane");
  if (platform === "win32") return join(given(env.LOCALAPPDATA) ?? join(home, "AppData/Local"), "voiceplane");
  const { XDG_STATE_HOME: named = "" } = env;
  return join(isAbsolute(named) ? named : join(home, ".local/state"), "voiceplane");
}

export function stateFolderProblem(env: Environment): Diagnostic | undefined {
  const folder = given(env.VOICEPLANE_STATE_DIR);
  if (folder === undefined || isAbsolute(folder)) return undefined;
  return problem("state-folder", "VOICEPLANE_STATE_DIR must be an absolute path, such as /var/lib/voiceplane");
}

/**
 * Makes the folder if there is none.
 *
 * @throws Error if other users could write to it
 */
export function privateFolder(folder: string, advice: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = lstatSync(folder);
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0)) {
    throw new Error(`${folder} is not private: ${advice}`);
  }
}
