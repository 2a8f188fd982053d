import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { exists } from "../engine/cache.mjs";
import { runEngine } from "./engine-process.mjs";

const STACK = "dev";

/** In doubt it is. */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== "ESRCH";
  }
}

/**
 * The stack `dev` of the root program, with its state, configuration and passphrase in one folder. It uses neither the
 * user's own Pulumi login nor a Pulumi.dev.yaml.
 *
 * @param {{root: string, folder: string, engine: {command: string, dir: string}, signal: AbortSignal}} options
 */
export function devStack({ root, folder, engine, signal }) {
  const state = path.join(folder, "state");
  // The engine always writes a stack's configuration next to a Pulumi.yaml.
  const shadow = path.join(folder, "project");
  const configFile = path.join(shadow, `Pulumi.${STACK}.yaml`);
  const passphraseFile = path.join(folder, "passphrase");

  const env = {
    ...process.env,
    PATH: [engine.dir, process.env.PATH].join(path.delimiter),
    PULUMI_HOME: path.join(folder, "pulumi-home"),
    // Without files of attributes: a killed engine may leave an empty one, with which no command works.
    PULUMI_BACKEND_URL: `${pathToFileURL(state).href}?metadata=skip`,
    PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile,
    PULUMI_SKIP_UPDATE_CHECK: "1",
  };
  delete env.PULUMI_CONFIG_PASSPHRASE; // would override the file

  async function runToEnd(command, args, { extraEnv, ...options } = {}) {
    const code = await runEngine(command, args, { cwd: root, env: { ...env, ...extraEnv }, signal, ...options });
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`${path.basename(command)} ${args.join(" ")} failed (exit code ${code})`);
  }
  const pulumi = (args, options) => runToEnd(engine.command, args, options);

  async function projectName() {
    const text = await readFile(path.join(root, "Pulumi.yaml"), "utf8");
    const name = /^name:\s*["']?([\w.-]+)/m.exec(text)?.[1];
    if (!name) throw new Error("Pulumi.yaml has no name");
    return name;
  }

  /** Removes the locks of this machine's engines that have ended. A killed engine leaves one, which would stop every later run. */
  async function removeDeadLocks() {
    const folder = path.join(state, ".pulumi", "locks");
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    for (const name of names.filter((each) => each.endsWith(".json"))) {
      const file = path.join(folder, name);
      const lock = JSON.parse(await readFile(file, "utf8"));
      if (lock.hostname === hostname() && !isRunning(lock.pid)) await rm(file, { force: true });
    }
  }

  return {
    /** Creates the stack and its configuration, or the missing part of them after an interruption. */
    async prepare() {
      await mkdir(state, { recursive: true, mode: 0o700 });
      await mkdir(shadow, { recursive: true });
      await removeDeadLocks();
      if (!(await exists(passphraseFile)))
        await writeFile(passphraseFile, randomBytes(24).toString("hex"), { mode: 0o600 });
      // Reads the content, because creating the stack writes the file, and a run may have ended before it set the
      // organization.
      const config = await readFile(configFile, "utf8").catch(() => "");
      if (config.includes("voiceplane:organization:")) return;

      await writeFile(path.join(shadow, "Pulumi.yaml"), `name: ${await projectName()}\nruntime: nodejs\n`);
      const inShadow = { cwd: shadow, quiet: true };
      await pulumi(["stack", "select", STACK, "--create", "--non-interactive"], inShadow);
      // The control plane's port may differ between runs. Without a name, the organization would then be a new one.
      await pulumi(
        ["config", "set", "voiceplane:organization", "dev", "--stack", STACK, "--non-interactive"],
        inShadow,
      );
    },

    /** Previews it in words, applies it, and reports what was done. @param {NodeJS.ProcessEnv} extraEnv */
    async apply(extraEnv) {
      const command = path.join(root, "dist/cli/index.js");
      const variables = { ...extraEnv, PULUMI_OPTION_CONFIG_FILE: configFile };
      await runToEnd(process.execPath, [command, "apply", "--yes", "--stack", STACK], { extraEnv: variables });
    },

    removeDeadLocks,
  };
}
