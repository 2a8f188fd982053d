// A pass of `apply` over 1, 10 and 100 organizations with four objects each, one stack each: create, run without changes, skip.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { contenders, objects, organizationOf, seed } from "./contenders.mjs";
import { describeMachine, requireQuietMachine } from "./machine.mjs";
import { memoryOfTree } from "./measure.mjs";
import { machineLine, writeResults } from "./results.mjs";
import { bash, makeProject, withEngine } from "./stacks.mjs";

const counts = [1, 10, 100];
/** At a time. */
const lanes = 2;

const kinds = {
  create: { expected: "applied", options: {} },
  "no changes": { expected: "unchanged", options: { skip: false } },
  skip: { expected: "skipped", options: {} },
};

export async function run() {
  requireQuietMachine();
  await passes();
}

/** Whatever the load is: a benchmark that ran just before leaves one of its own. */
export async function passes() {
  const machine = describeMachine();
  const rows = [];
  await withEngine(async ({ plane, folder, env: base }) => {
    const { apply } = await import("../dist/cli/apply/index.js");
    for (const count of counts) {
      const all = objects(4);
      seed(plane, all);
      const state = join(folder, `state-${count}`);
      mkdirSync(state);
      const env = { ...base, PULUMI_BACKEND_URL: `file://${state}`, PULUMI_SKIP_UPDATE_CHECK: "1" };
      const project = join(folder, `organizations-${count}`);
      makeProject(project, contenders.organization.files(all));
      const stacks = Array.from({ length: count }, (_, n) => `org-${n}`);
      await inLanes(stacks, (stack) => addStack(project, stack, all, env));
      for (const [name, { expected, options }] of Object.entries(kinds)) {
        console.error(`${count} organizations: ${name}`);
        const figures = await measured(() =>
          inLanes(stacks, async (stack) => {
            const { outcome, reason } = await apply({ folder: project, stack, env, ...options });
            if (outcome !== expected) throw new Error(`${stack}: ${outcome} instead of ${expected}: ${reason}`);
          }),
        );
        rows.push({ count, pass: name, ...figures, cpuEach: figures.cpu / count });
      }
    }
  });
  const results = { title: "Passes over many organizations", machine, rows };
  writeResults("organizations", results, table(results));
}

async function addStack(project, stack, all, env) {
  await bash(`pulumi stack init ${stack} --no-select --non-interactive`, project, env);
  const file = `${stack}.yaml`;
  writeFileSync(join(project, file), JSON.stringify(organizationOf(all)));
  const settings = join(project, `Pulumi.${stack}.yaml`);
  writeFileSync(settings, `${readFileSync(settings, "utf8")}config:\n  voiceplane:organizationFile: ${file}\n`);
}

async function inLanes(items, work) {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** CPU seconds are those of this process and all that it has started. */
async function measured(work) {
  const started = performance.now();
  const before = cpuSeconds();
  let memory;
  const sampling = setInterval(() => {
    memory = Math.max(memory ?? 0, memoryOfTree(process.pid) ?? 0);
  }, 100);
  await work();
  clearInterval(sampling);
  return { wall: (performance.now() - started) / 1000, cpu: cpuSeconds() - before, memory };
}

/** Of this process and of its ended descendants; Linux only. */
function cpuSeconds() {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / 100;
}

function table({ title, machine, rows }) {
  return [
    `# ${title}`,
    "",
    machineLine(machine),
    `Four objects each, state in files, ${lanes} at a time. Memory is what all processes had resident together, at most.`,
    "",
    "| organizations | pass | wall s | CPU s | CPU s each | MiB |",
    "| ------------- | ---- | ------ | ----- | ---------- | --- |",
    ...rows.map(
      ({ count, pass, wall, cpu, cpuEach, memory }) =>
        `| ${count} | ${pass} | ${wall.toFixed(2)} | ${cpu.toFixed(2)} | ${cpuEach.toFixed(3)} | ${memory === undefined ? "" : Math.round(memory)} |`,
    ),
    "",
  ].join("\n");
}
