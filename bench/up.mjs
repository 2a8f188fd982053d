// `pulumi up` of four resources by the stack without code, compared with an empty stack of the same runtime and a
// simple dynamic provider.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bash, makeProject, median, timed, withEngine } from "./stacks.mjs";

const rounds = 7;
const goals = [
  { of: "empty", ratio: 1.3 },
  { of: "naive", ratio: 0.75 },
];

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
  await withEngine(async ({ folder, env }) => {
    for (const [name, files] of Object.entries(contenders)) makeProject(join(folder, name), files);
    const names = Object.keys(contenders);
    for (const name of names) await measure(join(folder, name), env); // Fills all caches.
    const figures = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 1; round <= rounds; round++) {
      console.error(`round ${round} of ${rounds}`);
      for (const name of names) figures[name].push(await measure(join(folder, name), env));
    }
    report(figures);
  });
}

/** One `pulumi up` of a new stack: seconds of wall time, and CPU seconds of all its processes. */
async function measure(project, environment) {
  const state = mkdtempSync(join(project, "state-"));
  const env = { ...environment, PULUMI_BACKEND_URL: `file://${state}` };
  await bash("pulumi stack init dev --non-interactive", project, env);
  const figures = await timed("pulumi up --stack dev --yes --skip-preview --non-interactive", project, env);
  rmSync(state, { recursive: true, force: true });
  return figures;
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
