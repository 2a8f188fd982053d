import { once } from "node:events";
import { createInterface } from "node:readline";
import { servePolicyPack } from "./policy-pack.mjs";
import { findInSdk, nodeArgs, start } from "./programs.mjs";

function startNode(runner, { cwd, args, env, options, onStderr }) {
  const child = start(process.execPath, [...nodeArgs(options), runner, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...env, ...(options.typescript !== false && { PULUMI_NODEJS_TYPESCRIPT: "true" }) },
  });
  child.stderr.on("data", onStderr);
  return child;
}

/** Resolves when a process has ended without an error, or was stopped by `signal`. */
async function ended(child, signal) {
  const stop = () => child.kill("SIGKILL");
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const [code, killedBy] = await once(child, "close");
  if (code !== 0 && !signal.aborted) throw new Error(`the plugin ended with ${killedBy ?? `exit code ${code}`}`);
}

/**
 * Runs a plugin that is a Node program, until it ends or `signal` aborts: a policy pack (kind "analyzer"), or a provider
 * with PulumiPlugin.yaml. The first line of its output is its port.
 */
export async function runPlugin(plugin) {
  const { directory, args, kind, onStdout, signal } = plugin;
  if (signal.aborted) return;
  if (kind === "analyzer") {
    await runPolicyPack(plugin);
    return;
  }
  const child = startNode(findInSdk("cmd/run-plugin", directory), { ...plugin, args: [directory, ...args] });
  child.stdout.on("data", onStdout);
  await ended(child, signal);
}

async function runPolicyPack(plugin) {
  const { directory, env, onStdout, signal } = plugin;
  const runner = findInSdk("cmd/run-policy-pack", directory);
  const over = new AbortController();
  try {
    await new Promise((resolve, reject) => {
      signal.addEventListener("abort", resolve);
      const startPack = (stackEnv) => {
        // A pack runs in its own folder and has it as the last argument.
        const args = [...plugin.args, directory];
        const child = startNode(runner, { ...plugin, cwd: directory, args, env: { ...env, ...stackEnv } });
        ended(child, signal).then(resolve, reject);
        return portOf(child, onStdout);
      };
      servePolicyPack({ startPack, signal: over.signal }).then((port) => onStdout(Buffer.from(`${port}\n`)), reject);
    });
  } finally {
    over.abort();
  }
}

/** The first line of a process's output. All later ones go to `onStdout`. */
async function portOf(child, onStdout) {
  const lines = createInterface(child.stdout);
  const [first] = await Promise.race([once(lines, "line"), once(lines, "close").then(() => [""])]);
  if (!/^\d+$/.test(first)) throw new Error(`it did not start${first && `: its first line is no port: ${first}`}`);
  lines.on("line", (line) => onStdout(Buffer.from(`${line}\n`)));
  return first;
}
