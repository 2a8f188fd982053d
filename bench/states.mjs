// Where the state of a measured stack is. Each makes a place for one stack, and removes it.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const program = fileURLToPath(new URL("../tools/engine/program.mjs", import.meta.url));

export function fileState(project) {
  const folder = mkdtempSync(join(project, "state-"));
  return {
    variables: { PULUMI_BACKEND_URL: `file://${folder}` },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A server on this machine with Pulumi Cloud's protocol (tools/engine/cloud), which keeps states in memory. */
export async function httpState() {
  const token = "pul-0123456789abcdef0123456789abcdef01234567";
  const { stdout } = await promisify(execFile)(process.execPath, [program, "cloud"]);
  const child = spawn(stdout.trim(), [token], { stdio: ["pipe", "pipe", "inherit"] });
  const [url] = await once(createInterface(child.stdout), "line");
  return {
    variables: { PULUMI_BACKEND_URL: url, PULUMI_ACCESS_TOKEN: token, PULUMI_CONFIG_PASSPHRASE: undefined },
    remove: async () => {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}
