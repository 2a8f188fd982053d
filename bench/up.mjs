// `pulumi up` of four resources by the stack without code, compared with an empty stack of the same runtime and a
// simple dynamic provider.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getEngine } from "../tools/engine/index.mjs";
import { createProgress } from "../tools/progress.mjs";

const rounds = 7;
const goals = [
  { of: "empty", ratio: 1.3 },
  { of: "naive", ratio: 0.75 },
];

const root = fileURLToPath(new URL("..", import.meta.url));

const compiled = "runtime: { name: nodejs, options: { typescript: false } }";

/** Each contender: the files of a project. All projects use the packages of this checkout. */
const contenders = {
  root: {
    "Pulumi.yaml": `name: root\n${compiled}\nmain: index.js\n`,
    "index.js": `module.exports = require("pulumi-voiceplane/stack");\n`,
    "organization.yaml": `
retention: { recordings: { days: 90 } }
networkPolicies: { office: { id: a0000000-0000-4000-8000-000000000001, name: Office, sourceCidr: 203.0.113.0/24 } }
trunks: { carrier-a: { id: b0000000-0000-4000-8000-000000000001, outboundAuth: cleared } }
webhooks: { crm: { id: c0000000-0000-4000-8000-000000000001 } }
`,
  },
  empty: {
    "Pulumi.yaml": `name: empty\n${compiled}\nmain: index.js\n`,
    "index.js": `require("@pulumi/pulumi");\n`,
  },
  // A typical first version: classes in index.ts with fetch, compiled by the language host on every run.
  naive: {
    "Pulumi.yaml": "name: naive\nruntime: nodejs\nmain: index.ts\n",
    "tsconfig.json": `{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "types": ["node"], "skipLibCheck": true } }\n`,
    "index.ts": `
import * as pulumi from "@pulumi/pulumi";

class Call implements pulumi.dynamic.ResourceProvider {
  async create(inputs: { method: string; path: string; body?: object }) {
    const response = await fetch(process.env.VOICEPLANE_BASE_URL + inputs.path, {
      method: inputs.method,
      headers: { authorization: "Bearer " + process.env.VOICEPLANE_TOKEN, "content-type": "application/json" },
      body: inputs.body && JSON.stringify(inputs.body),
    });
    if (!response.ok) throw new Error(inputs.path + ": " + response.status);
    return { id: inputs.path, outs: inputs };
  }
}

class Setting extends pulumi.dynamic.Resource {
  constructor(name: string, method: string, path: string, body?: object) {
    super(new Call(), name, { method, path, body });
  }
}

new Setting("recordings", "PUT", "/v1/retention-policies/recordings", { retention_days: 90, enabled: true });
new Setting("office", "PATCH", "/v1/network-policies/a0000000-0000-4000-8000-000000000001", { name: "Office" });
new Setting("carrier-a", "DELETE", "/v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth");
new Setting("crm", "POST", "/v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret");
`,
  },
};

export async function run() {
  if (!existsSync(join(root, "dist/control-plane/index.js"))) {
    console.error("dist is missing: run `npm run build` first");
    process.exitCode = 1;
    return;
  }
  const { startControlPlane } = await import("../dist/control-plane/index.js");
  const log = createProgress(process.stderr);
  const engine = await getEngine({ log });
  log.stop();
  const plane = await startControlPlane({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), "voiceplane-bench-"));
  try {
    for (const [name, files] of Object.entries(contenders)) makeProject(join(folder, name), files);
    const environment = environmentFor(engine.dir, folder, plane);
    const names = Object.keys(contenders);
    for (const name of names) await measure(join(folder, name), environment); // Fills all caches.
    const figures = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 1; round <= rounds; round++) {
      console.error(`round ${round} of ${rounds}`);
      for (const name of names) figures[name].push(await measure(join(folder, name), environment));
    }
    report(figures);
  } finally {
    await plane.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeProject(folder, files) {
  mkdirSync(folder, { recursive: true });
  const all = { "package.json": `{ "name": "bench", "private": true }\n`, ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}

function environmentFor(engineFolder, folder, plane) {
  return {
    ...process.env,
    PATH: [engineFolder, join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter),
    PULUMI_HOME: join(folder, "home"),
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    VOICEPLANE_BASE_URL: plane.url,
    VOICEPLANE_TOKEN: plane.tokens.full,
  };
}

/** One `pulumi up` of a new stack: seconds of wall time, and CPU seconds of all its processes. */
async function measure(project, environment) {
  const state = mkdtempSync(join(project, "state-"));
  const env = { ...environment, PULUMI_BACKEND_URL: `file://${state}` };
  await bash("pulumi stack init dev --non-interactive", project, env);
  const { stderr } = await bash(
    `TIMEFORMAT="took %R %U %S"; time pulumi up --stack dev --yes --skip-preview --non-interactive`,
    project,
    env,
  );
  rmSync(state, { recursive: true, force: true });
  const [wall, user, system] = /took ([\d.]+) ([\d.]+) ([\d.]+)/.exec(stderr).slice(1).map(Number);
  return { wall, cpu: user + system };
}

function bash(command, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve({ stdout, stderr });
      else reject(new Error(`${command} ended with ${code}:\n${stdout}${stderr}`));
    });
  });
}

function report(figures) {
  console.log(`pulumi up from nothing, medians of ${rounds} interleaved rounds (ratios: round by round)`);
  for (const [name, rows] of Object.entries(figures)) {
    const [wall, cpu] = ["wall", "cpu"].map((key) => median(rows.map((row) => row[key])).toFixed(2));
    console.log(`${name.padEnd(6)} ${wall} s   ${cpu} CPU s`);
  }
  for (const { of, ratio } of goals) {
    const [wall, cpu] = ["wall", "cpu"].map((key) =>
      median(figures.root.map((row, round) => row[key] / figures[of][round][key])),
    );
    const verdict = wall <= ratio ? "met" : "missed";
    console.log(
      `root / ${of}: ${wall.toFixed(2)} of the time (goal: at most ${ratio}) ${verdict}; ${cpu.toFixed(2)} of the CPU`,
    );
  }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
