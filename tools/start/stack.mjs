import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

/** After one SIGINT the engine finishes its current calls. The client's deadline limits how long that takes. */
const FINISH_MS = 90_000;

/**
 * Previews the stack `dev` of the root program in words, applies it, and reports what was done. The stack's state, configuration and
 * passphrase are in one folder: it uses neither the user's own Pulumi login nor a Pulumi.dev.yaml.
 *
 * @param {{root: string, folder: string, engine: {dir: string}, signal: AbortSignal}} options
 * @param {NodeJS.ProcessEnv} extraEnv
 */
export async function applyStack({ root, folder, engine, signal }, extraEnv) {
  const state = path.join(folder, "state");
  // The engine always writes a stack's configuration next to a Pulumi.yaml.
  const shadow = path.join(folder, "project");
  const configFile = path.join(shadow, "Pulumi.dev.yaml");
  const passphraseFile = path.join(folder, "passphrase");

  const env = {
    ...process.env,
    ...extraEnv,
    PATH: [engine.dir, process.env.PATH].join(path.delimiter),
    PULUMI_HOME: path.join(folder, "pulumi-home"),
    // Without files of attributes: a killed engine may leave an empty one, with which no command works.
    PULUMI_BACKEND_URL: `${pathToFileURL(state).href}?metadata=skip`,
    PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile,
    PULUMI_SKIP_UPDATE_CHECK: "1",
  };
  delete env.PULUMI_CONFIG_PASSPHRASE; // would override the file

  /** On abort the command gets one SIGINT, so that the engine saves its current operations, and a second one if it does not end. */
  async function run(command, args, options) {
    signal.throwIfAborted();
    // In a group of its own it does not get the terminal's signals too: the second one would stop it at once.
    const detached = process.platform !== "win32";
    const child = spawn(command, args, {
      cwd: root,
      env,
      detached,
      stdio: ["ignore", "inherit", "inherit"],
      ...options,
    });
    let timer;
    const interrupt = () => {
      // On Windows this would end it at once. There, it gets the terminal's Ctrl-C itself.
      if (process.platform !== "win32") child.kill("SIGINT");
      timer = setTimeout(() => child.kill("SIGINT"), FINISH_MS);
    };
    signal.addEventListener("abort", interrupt, { once: true });
    const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
    clearTimeout(timer);
    signal.removeEventListener("abort", interrupt);
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`${path.basename(command)} ${args.join(" ")} failed (exit code ${code})`);
  }

  await mkdir(state, { recursive: true, mode: 0o700 });
  await mkdir(shadow, { recursive: true });
  if (!existsSync(passphraseFile)) await writeFile(passphraseFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  // An interrupted run may have left one without the other.
  const config = await readFile(configFile, "utf8").catch(() => "");
  if (!config.includes("encryptionsalt:") || !config.includes("voiceplane:organization:")) {
    await copyFile(path.join(root, "Pulumi.yaml"), path.join(shadow, "Pulumi.yaml"));
    // The control plane's port may differ between runs. Without a name, the organization would then be a new one.
    await writeFile(configFile, "config:\n  voiceplane:organization: dev\n");
    const options = { cwd: shadow, stdio: ["ignore", "ignore", "inherit"] };
    await run(path.join(engine.dir, "pulumi"), ["stack", "select", "dev", "--create", "--non-interactive"], options);
  }
  const apply = ["apply", "--yes", "--stack", "dev"];
  await run(process.execPath, [path.join(root, "dist/cli/index.js"), ...apply], {
    env: { ...env, PULUMI_OPTION_CONFIG_FILE: configFile },
  });
}
