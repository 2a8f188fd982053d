// Runs one benchmark: `node bench/index.mjs client`. docs/contributing/benchmarks.md explains the figures.
import { availableParallelism, cpus, loadavg } from "node:os";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";

const names = ["client", "up"];
/** Other load changes ratios too: the contenders do not lose the same share of their time. */
const mostLoad = 1.5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { force: { type: "boolean", default: false }, once: { type: "boolean", default: false } },
});
const [name, size] = positionals;

/** Whether the medians of the rounds' own ratios meet the goals: a slow moment slows both sides of a ratio. */
const judged = ({ what, reached, most, least }) => {
  const met = reached <= (most ?? Infinity) && reached >= (least ?? 0);
  const goal = most === undefined ? `at least ${least}` : `at most ${most}`;
  return `- ${what}: ${reached.toFixed(2)} (goal: ${goal}) ${met ? "met" : "missed"}`;
};

const line = (cells) => `| ${cells.join(" | ")} |`;

async function main() {
  const load = loadavg()[0];
  if (load > mostLoad && !values.force && !values.once)
    throw new Error(
      `a load of ${load.toFixed(2)} makes the figures wrong: wait until it is below ${mostLoad}, or add --force`,
    );
  const { run } = await import(`./${name}.mjs`);
  const { title, head, rows, goals } = await run({ once: values.once, size: size && Number(size) });
  const machine = `${cpus()[0]?.model ?? "?"}, ${availableParallelism()} processors, Node ${process.versions.node}, load ${load.toFixed(2)} before.`;
  const text = [
    `# ${title}\n`,
    `${new Date().toISOString().slice(0, 10)}, ${machine} Medians.\n`,
    ...[head, head.map(() => "---"), ...rows].map(line),
    "",
    ...goals.map(judged),
    "",
  ].join("\n");
  console.log(text);
  if (!values.once && size === undefined) writeFileSync(new URL(`results/${name}.md`, import.meta.url), text);
}

if (names.includes(name)) {
  await main().catch(({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });
} else {
  console.error(`usage: npm run bench -- ${names.join(" | ")} [SIZE] [--force] [--once]`);
  process.exitCode = 2;
}
