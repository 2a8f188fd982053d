// The dynamic provider beside the native plugin: four commands of the engine, with 4 and with 100 resources.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { objects, organizationOf, programOf, seed } from "./contenders.mjs";
import { measure, median } from "./measure.mjs";
import { bash, makeProject, withEngine } from "./stacks.mjs";

const rounds = 5;
const sizes = [4, 100];
const commands = {
  preview: "pulumi preview --stack dev --non-interactive",
  up: "pulumi up --stack dev --yes --skip-preview --non-interactive",
  "no-op": "pulumi up --stack dev --yes --skip-preview --non-interactive",
  destroy: "pulumi destroy --stack dev --yes --skip-preview --non-interactive",
};

const plugin = fileURLToPath(new URL("../dist/pulumi-resource-voiceplane.js", import.meta.url));

/** JSON is YAML. */
function yaml(name, resources) {
  return JSON.stringify({ name, runtime: "yaml", packages: { voiceplane: "./plugin" }, resources });
}

const named = (ids, make) => Object.fromEntries(ids.map((id) => [id, make(id)]));
const typed = (type, properties) => ({ type: `voiceplane:${type}`, properties });

function resourcesOf({ kinds, policies, trunks, webhooks }) {
  return {
    ...named(kinds, (resource) => typed("RetentionPolicy", { resource, retentionDays: 90 })),
    ...named(policies, (id) =>
      typed("NetworkPolicy", { networkPolicyId: id, onCreate: "overwrite", sourceCidr: "203.0.113.0/24" }),
    ),
    ...named(trunks, (trunkId) => typed("TrunkOutboundAuth", { trunkId, cleared: true })),
    ...named(webhooks, (webhookId) => typed("WebhookSecret", { webhookId, onCreate: "rotate" })),
  };
}

/** Each contender: the files of a project with these objects. */
const javascript = (name, plugins) =>
  `name: ${name}\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.js\n${plugins}`;
const contenders = {
  dynamic: (all) => ({
    "Pulumi.yaml": javascript("dynamic", ""),
    "index.js": programOf("pulumi-voiceplane", all),
  }),
  native: (all) => ({
    "Pulumi.yaml": javascript("native", "plugins: { providers: [{ name: voiceplane, path: ./plugin }] }\n"),
    "index.js": programOf("pulumi-voiceplane/native", all),
  }),
  yaml: (all) => ({ "Pulumi.yaml": yaml("yaml", resourcesOf(all)) }),
  organization: (all) => ({
    "Pulumi.yaml": yaml("organization", { acme: typed("Organization", organizationOf(all)) }),
  }),
};

export async function run() {
  await withEngine(async ({ plane, folder, env }) => {
    for (const size of sizes) {
      const all = objects(size);
      seed(plane, all);
      const projects = Object.entries(contenders).map(([name, files]) => {
        const project = join(folder, `${name}-${size}`);
        makeProject(project, files(all));
        return { name, project, rows: [] };
      });
      for (let round = 0; round <= rounds; round++) {
        console.error(`${size} resources, ${round === 0 ? "to fill the caches" : `round ${round} of ${rounds}`}`);
        for (const { project, rows } of projects) {
          const row = await measureStack(project, env, size);
          if (round > 0) rows.push(row);
        }
      }
      report(size, projects);
    }
    await reportPlugin();
  });
}

/** The four commands on a new stack. */
async function measureStack(project, environment, size) {
  const state = mkdtempSync(join(project, "state-"));
  const env = { ...environment, PULUMI_BACKEND_URL: `file://${state}` };
  await bash("pulumi stack init dev --non-interactive", project, env);
  const row = {};
  for (const [name, command] of Object.entries(commands)) {
    row[name] = await measure(command, project, env);
    if (name === "up") row.bytes = await bytesOfState(project, env, size);
  }
  rmSync(state, { recursive: true, force: true });
  return row;
}

async function bytesOfState(project, env, size) {
  const { stdout } = await bash("pulumi stack export --stack dev", project, env);
  const rows = JSON.parse(stdout).deployment.resources.filter(
    ({ type }) => /voiceplane:(index:)?[A-Z]\w+$/.test(type) && !type.endsWith(":Organization"),
  );
  return rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0) / size;
}

function report(size, projects) {
  console.log(`\n${size} resources, medians of ${rounds} interleaved rounds: wall s (CPU s)`);
  console.log(
    ["".padEnd(12), ...Object.keys(commands).map((name) => name.padEnd(13)), "bytes of state each"].join(" "),
  );
  for (const { name, rows } of projects) {
    const cells = Object.keys(commands).map((command) => {
      const [wall, cpu] = ["wall", "cpu"].map((key) => median(rows.map((row) => row[command][key])).toFixed(2));
      return `${wall} (${cpu})`.padEnd(13);
    });
    console.log([name.padEnd(12), ...cells, Math.round(median(rows.map(({ bytes }) => bytes)))].join(" "));
  }
}

/** The plugin by itself, on Linux: CPU milliseconds to its first line, and its memory then. */
async function reportPlugin() {
  const starts = [];
  for (let start = 0; start < 11; start++) starts.push(await startPlugin());
  const [cpu, memory] = ["cpuMs", "megabytes"].map((key) => Math.round(median(starts.map((row) => row[key]))));
  console.log(`\nthe plugin: ${cpu} ms of CPU to its port, ${memory} MB then (medians of ${starts.length} starts)`);
}

async function startPlugin() {
  const child = spawn(process.execPath, [plugin], { stdio: ["ignore", "pipe", "inherit"] });
  await once(createInterface(child.stdout), "line");
  const [user, system] = readFileSync(`/proc/${child.pid}/stat`, "utf8")
    .split(") ")[1]
    .split(" ")
    .slice(11, 13)
    .map(Number);
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
  child.kill();
  return { cpuMs: (user + system) * 10, megabytes: Number(kilobytes) / 1024 };
}
