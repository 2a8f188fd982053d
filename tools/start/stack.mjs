import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { exists } from "../engine/cache.mjs";
import { readOutcome } from "./outcome.mjs";
import { runEngine } from "./engine-process.mjs";

const STACK = "dev";

/**
 * The stack `dev` of the root program, with its state, configuration and passphrase in one folder and nothing anywhere
 * else: neither the user's own Pulumi login nor a Pulumi.dev.yaml of theirs is read or written.
 *
 * @param {{root: string, folder: string, engine: {command: string, dir: string}, signal: AbortSignal}} options
 */
export function devStack({ root, folder, engine, signal }) {
  const state = path.join(folder, "state");
  // The engine writes a stack's configuration beside a Pulumi.yaml, and has no option for another place.
  const shadow = path.join(folder, "project");
  const configFile = path.join(shadow, `Pulumi.${STACK}.yaml`);
  const passphraseFile = path.join(folder, "passphrase");
  const eventLog = path.join(folder, "events.jsonl");

  const env = {
    ...process.env,
    PATH: [engine.dir, process.env.PATH].join(path.delimiter),
    PULUMI_HOME: path.join(folder, "pulumi-home"),
    PULUMI_BACKEND_URL: pathToFileURL(state).href,
    PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile,
    PULUMI_SKIP_UPDATE_CHECK: "1",
    PULUMI_DEBUG_COMMANDS: "1", // shows the --event-log option
  };
  delete env.PULUMI_CONFIG_PASSPHRASE; // would win over the file

  async function pulumi(args, { extraEnv, ...options } = {}) {
    const code = await runEngine(engine.command, args, { cwd: root, env: { ...env, ...extraEnv }, signal, ...options });
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`pulumi ${args[0]} failed (exit code ${code})`);
  }

  async function projectName() {
    const text = await readFile(path.join(root, "Pulumi.yaml"), "utf8");
    const name = /^name:\s*["']?([\w.-]+)/m.exec(text)?.[1];
    if (!name) throw new Error("Pulumi.yaml has no name");
    return name;
  }

  /** Locks of engines that are gone: a kill leaves one, and every later run would stop at it. */
  async function removeDeadLocks() {
    const folder = path.join(state, ".pulumi", "locks");
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    for (const name of names.filter((each) => each.endsWith(".json"))) {
      const file = path.join(folder, name);
      const lock = JSON.parse(await readFile(file, "utf8"));
      if (lock.hostname === hostname() && !isAlive(lock.pid)) await rm(file, { force: true });
    }
  }

  return {
    /** Makes the stack and its configuration, or what an interrupted run has left out of them. */
    async prepare() {
      await mkdir(state, { recursive: true, mode: 0o700 });
      await mkdir(shadow, { recursive: true });
      await removeDeadLocks();
      if (!(await exists(passphraseFile)))
        await writeFile(passphraseFile, randomBytes(24).toString("hex"), { mode: 0o600 });
      // Not the file's existence: making the stack writes it, and a run may have ended before the account was in it.
      const config = await readFile(configFile, "utf8").catch(() => "");
      if (config.includes("voiceplane:account:")) return;

      await writeFile(path.join(shadow, "Pulumi.yaml"), `name: ${await projectName()}\nruntime: nodejs\n`);
      const inShadow = { cwd: shadow, quiet: true };
      await pulumi(["stack", "select", STACK, "--create", "--non-interactive"], inShadow);
      // The control plane gets another port on every run. Without a name of its own the organization would be another one.
      await pulumi(["config", "set", "voiceplane:account", "dev", "--stack", STACK, "--non-interactive"], inShadow);
    },

    /** Shows what would change. @param {NodeJS.ProcessEnv} extraEnv */
    async preview(extraEnv) {
      await pulumi(["preview", "--diff", "--stack", STACK, "--config-file", configFile], { extraEnv });
    },

    /** Applies it and gives the counts of `readOutcome`. @param {NodeJS.ProcessEnv} extraEnv */
    async up(extraEnv) {
      const args = ["up", "--yes", "--skip-preview", "--stack", STACK, "--config-file", configFile];
      try {
        await pulumi([...args, "--event-log", eventLog], { extraEnv });
        return await readOutcome(eventLog);
      } finally {
        // The engine's log has its debug messages too: not a file to leave lying about.
        await rm(eventLog, { force: true });
      }
    },

    removeDeadLocks,
  };
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM"; // somebody else's process
  }
}
