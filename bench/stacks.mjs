// Projects that declare the same settings in several ways, and measured commands of the engine in them.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getEngine } from "../tools/engine/index.mjs";
import { createProgress } from "../tools/progress.mjs";
import { bash, measure, median } from "./measure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const kinds = ["recordings", "conversations", "audit_events"];

/** Objects of an organization: a quarter of each kind. There are three kinds of data at most, so network policies fill up. */
export function objects(count) {
  const quarter = Math.floor(count / 4);
  const many = (length, name) => Array.from({ length }, (_, n) => `${name}-${n}`);
  const retention = kinds.slice(0, Math.max(1, Math.min(quarter, 3)));
  return {
    retention,
    policies: many(count - 2 * quarter - retention.length, "policy"),
    trunks: many(quarter, "trunk"),
    webhooks: many(quarter, "webhook"),
  };
}

const named = (ids, make) => Object.fromEntries(ids.map((id) => [id, make(id)]));

/** The entries of an organization file; JSON is YAML. */
export const organizationOf = ({ retention, policies, trunks, webhooks }) => ({
  onCreate: "overwrite",
  retention: named(retention, () => ({ days: 90 })),
  networkPolicies: named(policies, (id) => ({ id, sourceCidr: "203.0.113.0/24", mustInclude: ["203.0.113.7"] })),
  trunks: named(trunks, (id) => ({ id, outboundAuth: "cleared" })),
  webhooks: named(webhooks, (id) => ({ id, onCreate: "rotate" })),
});

/** Pulumi YAML with one component, over the native plugin, as `voiceplane init --runtime yaml` writes it. */
export const yamlOrganization = (all) => ({
  "Pulumi.yaml": JSON.stringify({
    config: { "voiceplane:organization": "acme" },
    name: "acme",
    runtime: "yaml",
    plugins: { providers: [{ name: "voiceplane", path: "./plugin", version: "0.1.0" }] },
    resources: { organization: { type: "voiceplane:Organization", properties: organizationOf(all) } },
  }),
});

/** Makes the objects in the control plane, which also forgets all earlier ones. */
function seed(plane, { policies, trunks, webhooks }) {
  plane.control.reset();
  plane.control.seed({
    networkPolicies: policies.map((id) => ({ id, name: id, source_cidr: "10.0.0.0/8" })),
    trunks: trunks.map((id) => ({ id, name: id })),
    webhooks: webhooks.map((id) => ({ id, url: `https://example.com/${id}` })),
  });
}

/**
 * An `up` of a new stack, and a second one without changes, by each contender.
 *
 * @param {object} plan
 * @param {string} plan.title
 * @param {object} plan.all the objects
 * @param {number} plan.rounds after one that fills the caches, or 1 alone
 * @param {Record<string, { files: (all: object) => object, env?: object, isEmpty?: boolean }>} plan.contenders
 * @param {readonly [string, string, number][]} plan.goals contender, another one, and the most of its time
 */
export async function compare({ title, all, rounds, contenders, goals }) {
  const { startControlPlane } = await import("../dist/control-plane/index.js");
  const log = createProgress(process.stderr);
  const engine = await getEngine({ log, yaml: true });
  log.stop();
  const plane = await startControlPlane({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), "voiceplane-bench-"));
  const measured = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  const names = Object.keys(contenders);
  try {
    for (const name of names) makeProject(join(folder, name), contenders[name].files(all));
    for (let round = rounds === 1 ? 1 : 0; round <= rounds; round++) {
      // In every round another one goes first.
      const first = round % names.length;
      for (const name of [...names.slice(first), ...names.slice(0, first)]) {
        const contender = contenders[name];
        seed(plane, all);
        const row = await measureStack(join(folder, name), contender.isEmpty ? 0 : Object.values(all).flat().length, {
          ...process.env,
          PATH: [engine.dir, join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter),
          PULUMI_HOME: join(folder, "home"),
          PULUMI_CONFIG_PASSPHRASE: "bench",
          PULUMI_SKIP_UPDATE_CHECK: "1",
          VOICEPLANE_BASE_URL: plane.url,
          VOICEPLANE_TOKEN: plane.tokens.full,
          NODE_COMPILE_CACHE: join(folder, "compiled", name),
          ...contender.env,
        });
        if (round > 0) measured[name].push(row);
      }
    }
  } finally {
    await plane.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const of = (name, command, figure) => median(measured[name].map((row) => row[command][figure]));
  const cell = (name, command) =>
    `${of(name, command, "wall").toFixed(2)} s, ${of(name, command, "cpu").toFixed(2)} CPU s, ${Math.round(of(name, command, "memory"))} MiB`;
  return {
    title,
    head: ["contender", "up", "second up, no changes", "bytes of state each"],
    rows: names.map((name) => [
      name,
      cell(name, "up"),
      cell(name, "again"),
      Math.round(median(measured[name].map(({ bytes }) => bytes))),
    ]),
    goals: goals.map(([mine, other, most]) => {
      const ratios = measured[mine].map((row, round) => row.up.wall / measured[other][round].up.wall);
      return { what: `${mine} / ${other}`, reached: median(ratios), most };
    }),
  };
}

/** A project that uses the packages of this checkout. Its folder `plugin` has the native plugin. */
function makeProject(folder, files) {
  mkdirSync(join(folder, "plugin"), { recursive: true });
  symlinkSync(join(root, "dist/pulumi-resource-voiceplane.js"), join(folder, "plugin/pulumi-resource-voiceplane"));
  const all = { "package.json": `{ "name": "bench", "private": true }\n`, ...files };
  for (const [name, content] of Object.entries(all)) writeFileSync(join(folder, name), content);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}

/** @throws {Error} if a command fails, or the state has not the number of resources that was declared */
async function measureStack(project, count, environment) {
  const state = mkdtempSync(join(project, "state-"));
  const env = { ...environment, PULUMI_BACKEND_URL: `file://${state}` };
  const up = "pulumi up --stack dev --yes --skip-preview --non-interactive";
  try {
    await bash("pulumi stack init dev --non-interactive", project, env);
    const first = await measure(up, project, env);
    const { stdout } = await bash("pulumi stack export --stack dev", project, env);
    const rows = (JSON.parse(stdout).deployment?.resources ?? []).filter(
      ({ type }) => !type.startsWith("pulumi:") && !type.endsWith(":Organization"),
    );
    if (rows.length !== count) throw new Error(`a wrong answer: ${rows.length} resources in the state, not ${count}`);
    const bytes = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0) / Math.max(count, 1);
    return { up: first, again: await measure(up, project, env), bytes };
  } finally {
    rmSync(state, { recursive: true });
  }
}
