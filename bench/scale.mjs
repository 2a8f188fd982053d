// One `pulumi up`, and a second one without changes, of 1, 100 and 1,000 resources, by several contenders.
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileState } from "./states.mjs";
import { contenders as usualContenders, foundFor, objects, seed } from "./contenders.mjs";
import { describeMachine, requireQuietMachine } from "./machine.mjs";
import { measure, median } from "./measure.mjs";
import { judge, plot, sizesTable, writeResults } from "./results.mjs";
import { bash, makeProject, withEngine } from "./stacks.mjs";

const figures = ["wall", "cpu", "memory"];
/** This package's contenders, each judged by the goals that name none: one goal met with a cache says nothing of a run without. */
const own = ["organization", "pipeline"];

/**
 * @typedef {object} Plan
 * @property {string} title
 * @property {string} name of the files of results
 * @property {Record<number, number>} sizes resources, and the rounds for them
 * @property {readonly string[]} names of contenders
 * @property {Record<string, object>} [contenders] default: those of contenders.mjs. Some have other objects (`objectsOf`), variables
 *   of their own (`env`), or their state elsewhere than in files (`state`, see states.mjs)
 * @property {string} [base] the contender whose time is that of the others' multiples. Default: `organization`
 * @property {Record<number, string[]>} [without] contenders that are left out at a size
 * @property {readonly {size: number, by?: string, of: string, command?: "up" | "no-op", ratio: number}[]} goals of a contender, or of `organization` and `pipeline`, wall time
 * @property {{size: number, bytes: number}} [state] the goal for a row of state
 */

/** @type {Plan} */
export const scale = {
  title: "pulumi up by size",
  name: "scale",
  sizes: { 1: 3, 100: 5, 1000: 1 },
  names: [
    "organization",
    "pipeline",
    "yaml organization",
    "classes",
    "naive",
    "naive cached",
    "command",
    "command cached",
    "opentofu",
    "opentofu restapi",
  ],
  // Three minutes each time, and no goal.
  without: { 1000: ["naive", "naive cached"] },
  goals: [
    { size: 100, of: "naive", ratio: 0.55 },
    { size: 100, of: "command", ratio: 0.85 },
    { size: 1000, of: "command", ratio: 0.8 },
    { size: 100, by: "yaml organization", of: "opentofu restapi", command: "no-op", ratio: 1.7 },
  ],
  state: { size: 1000, bytes: 1050 },
};

/** @param {Plan} plan */
export async function compare(plan) {
  requireQuietMachine();
  const { contenders = usualContenders } = plan;
  const machine = describeMachine();
  const present = plan.names.filter((name) => foundFor(contenders[name]) !== undefined);
  const absent = plan.names.filter((name) => !present.includes(name));
  for (const name of absent)
    console.log(`left out: ${name}, because ${[contenders[name].needs].flat().join(" or ")} is not on PATH`);
  const rows = [];
  await withEngine(async ({ plane, folder, env }) => {
    for (const [size, rounds] of Object.entries(plan.sizes)) {
      const usual = objects(Number(size));
      const projects = present
        .filter((name) => !(plan.without?.[size] ?? []).includes(name))
        .map((name) => {
          const contender = contenders[name];
          const all = contender.objectsOf?.(usual) ?? usual;
          const project = join(folder, `${name.replaceAll(" ", "-")}-${size}`);
          makeProject(project, contender.files(all, foundFor(contender)));
          const cache = contender.hasCompileCache && { NODE_COMPILE_CACHE: join(folder, "compile-caches", name) };
          return { name, all, project, env: { ...env, ...cache, ...contender.env }, measured: [] };
        });
      // The first round fills all caches. One of 1,000 resources takes too long for that, and caches matter less.
      for (let round = Number(size) >= 1000 ? 1 : 0; round <= rounds; round++) {
        console.error(`${size} resources, ${round === 0 ? "to fill the caches" : `round ${round} of ${rounds}`}`);
        // In every round another one goes first.
        const first = round % projects.length;
        for (const { name, all, project, env, measured } of [...projects.slice(first), ...projects.slice(0, first)]) {
          seed(plane, all);
          const row = await measureStack(contenders[name], project, env, Number(size));
          if (round > 0) measured.push(row);
        }
      }
      rows.push(...projects.map(({ name, measured }) => ({ size: Number(size), name, measured })));
    }
  });
  const goals = [
    ...own.flatMap((name) => plan.goals.filter(({ by }) => !by).map((goal) => judgeRatio(rows, name, goal))),
    ...plan.goals.filter(({ by }) => by).map((goal) => judgeRatio(rows, goal.by, goal)),
    ...plan.goals.filter(({ by }) => !by).map((goal) => compareWithCaches(rows, goal)),
    judgeState(rows, plan.state),
  ].filter(Boolean);
  const results = { title: plan.title, base: plan.base ?? "organization", machine, rows: rows.map(summary), goals };
  writeResults(plan.name, results, sizesTable(results, contenders), {
    up: plot(results, "up"),
    "no-op": plot(results, "no-op"),
  });
}

const pulumi = {
  init: "pulumi stack init dev --non-interactive",
  up: "pulumi up --stack dev --yes --skip-preview --non-interactive",
};

/** A new stack: an up, the bytes of its state, and an up without changes. */
async function measureStack({ init = pulumi.init, up = pulumi.up, state = fileState }, project, environment, size) {
  const { variables, remove } = await state(project);
  const env = { ...environment, ...variables };
  await bash(init, project, env);
  const first = await measure(up, project, env);
  const bytes = up === pulumi.up ? await stateBytes(project, env, size) : Number.NaN;
  const second = await measure(up, project, env);
  await remove();
  rmSync(join(project, "terraform.tfstate"), { force: true });
  return { up: first, "no-op": second, bytes };
}

/** Bytes of state for each resource, without the rows of the stack and its providers. */
async function stateBytes(project, env, size) {
  const { stdout } = await bash("pulumi stack export --stack dev", project, env);
  const rows = JSON.parse(stdout).deployment?.resources ?? [];
  const own = rows.filter(({ type }) => !type.startsWith("pulumi:") && !type.endsWith(":Organization"));
  return own.reduce((sum, row) => sum + JSON.stringify(row).length, 0) / size;
}

function summary({ size, name, measured }) {
  const of = (command) =>
    Object.fromEntries(figures.map((figure) => [figure, median(measured.map((row) => row[command][figure]))]));
  return {
    size,
    name,
    rounds: measured.length,
    up: of("up"),
    "no-op": of("no-op"),
    bytes: median(measured.map(({ bytes }) => bytes)),
  };
}

function judgeRatio(rows, name, { size, of, command = "up", ratio }) {
  const found = ratios(rows, name, { size, of, command });
  return found && judge(found.what, found.wall, ratio, { more: found.more });
}

/** Like with like: both have a compile cache. The goals say nothing of it. */
function compareWithCaches(rows, { size, of, command = "up" }) {
  const found = ratios(rows, "pipeline", { size, of: `${of} cached`, command });
  return found && { ...found, text: `${found.what}: ${found.wall.toFixed(2)}; ${found.more}` };
}

/** The medians of the rounds' own ratios: a slow moment slows both sides of a ratio. */
function ratios(rows, name, { size, of, command }) {
  const measured = (contender) => rows.find((row) => row.size === size && row.name === contender)?.measured;
  const [mine, other] = [measured(name), measured(of)];
  if (!mine || !other) return undefined;
  const ratioOf = (figure) => median(mine.map((row, round) => row[command][figure] / other[round][command][figure]));
  return {
    what: `${name} / ${of}, ${command} of ${size}`,
    wall: ratioOf("wall"),
    more: `${ratioOf("cpu").toFixed(2)} of the CPU`,
  };
}

function judgeState(rows, goal) {
  const row = goal && rows.find(({ size, name }) => size === goal.size && name === "organization");
  if (!row) return undefined;
  return judge(`bytes of state for each of ${goal.size}`, median(row.measured.map(({ bytes }) => bytes)), goal.bytes);
}

export async function run() {
  const sizes = process.argv.slice(3).filter((arg) => /^\d+$/.test(arg));
  const chosen = Object.fromEntries(sizes.map((size) => [size, scale.sizes[size] ?? 1]));
  if (sizes.length > 0) return compare({ ...scale, sizes: chosen });
  await compare(scale);
}
