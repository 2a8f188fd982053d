// `pulumi up` of 1,000 settings with the state in files, and on a server with Pulumi Cloud's protocol.
import { execFile, spawn } from "node:child_process";
import { once as emitted } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compare, objects, yamlOrganization } from "./stacks.mjs";

const program = fileURLToPath(new URL("../tools/engine/program.mjs", import.meta.url));

/** A server on this machine (tools/engine/cloud), which keeps states in memory. */
async function httpState() {
  const token = "pul-0123456789abcdef0123456789abcdef01234567";
  const { stdout } = await promisify(execFile)(process.execPath, [program, "cloud"]);
  const child = spawn(stdout.trim(), [token], { stdio: ["pipe", "pipe", "inherit"] });
  const [url] = await emitted(createInterface(child.stdout), "line");
  return {
    variables: { PULUMI_BACKEND_URL: url, PULUMI_ACCESS_TOKEN: token, PULUMI_CONFIG_PASSPHRASE: undefined },
    remove: async () => {
      child.stdin.end();
      await emitted(child, "exit");
    },
  };
}

/** As many objects, and no webhook. */
function settings(size) {
  const { policies, webhooks, ...others } = objects(size);
  return { ...others, policies: [...policies, ...webhooks], webhooks: [] };
}

export const run = ({ once, size = once ? 4 : 1000 }) =>
  compare({
    title: `${size} settings by backend`,
    all: settings(size),
    rounds: once ? 1 : 3,
    contenders: {
      files: { files: yamlOrganization },
      // As `voiceplane apply` and the pipelines set it.
      http: { files: yamlOrganization, state: httpState, env: { PULUMI_PARALLEL: "128" } },
    },
    goals: [["http", "files", 0.15]],
  });
