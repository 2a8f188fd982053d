// Writes results as JSON, a table in Markdown, and plots in SVG, into bench/results.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("results/", import.meta.url);

/** Whether a goal is met: an upper limit, or a lower one with `least`. */
export function judge(what, reached, limit, { more = "", least = false } = {}) {
  const digits = limit < 10 ? 2 : 0;
  const verdict = (least ? reached >= limit : reached <= limit) ? "met" : "missed";
  return {
    what,
    reached: Number(reached.toFixed(3)),
    limit,
    verdict,
    text: `${what}: ${reached.toFixed(digits)} (goal: at ${least ? "least" : "most"} ${limit}) ${verdict}${more && `; ${more}`}`,
  };
}

/**
 * @param {string} name of the files
 * @param {object} results for the JSON
 * @param {string} markdown
 * @param {Record<string, string>} [plots] SVG, by the ends of their names
 */
export function writeResults(name, results, markdown, plots = {}) {
  mkdirSync(folder, { recursive: true });
  const write = (end, text) => writeFileSync(new URL(`${name}${end}`, folder), text);
  write(".json", `${JSON.stringify(results, undefined, 2)}\n`);
  write(".md", markdown);
  for (const [end, svg] of Object.entries(plots)) write(`-${end}.svg`, svg);
  console.log(`\n${markdown}`);
  console.log(`written: ${fileURLToPath(folder)}${name}.*`);
}

/** One line of the machine's facts. */
export const machineLine = ({ date, node, system, processor, cores, memoryGiB, load }) =>
  `${date.slice(0, 10)}, ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}, load ${load.toFixed(2)} before.`;

const cell = (figures, base) =>
  `${figures.wall.toFixed(2)} s, ${figures.cpu.toFixed(2)} CPU s, ${figures.memory === undefined ? "?" : Math.round(figures.memory)} MiB` +
  (base ? ` (${(figures.wall / base.wall).toFixed(2)})` : "");

export function sizesTable({ title, base: baseName, machine, rows, goals }, contenders) {
  const lines = rows.map((row) => {
    const base = rows.find(({ size, name }) => size === row.size && name === baseName);
    const [up, noop] = ["up", "no-op"].map((command) => cell(row[command], row === base ? undefined : base?.[command]));
    return `| ${row.size} | ${row.name} | ${up} | ${noop} | ${Number.isNaN(row.bytes) ? "" : Math.round(row.bytes)} | ${row.rounds} |`;
  });
  const names = [...new Set(rows.map(({ name }) => name))];
  return [
    `# ${title}`,
    "",
    machineLine(machine),
    `Medians. Memory is the most that all processes had resident together. In brackets: the wall time as a multiple of \`${baseName}\`'s.`,
    "",
    "| resources | contender | up | second up, no changes | bytes of state each | rounds |",
    "| --------- | --------- | -- | --------------------- | ------------------- | ------ |",
    ...lines,
    "",
    ...names.map((name) => `- \`${name}\`: ${contenders[name].what}`),
    "",
    ...goals.map(({ text }) => `- ${text}`),
    "",
  ].join("\n");
}

const colors = ["#3b6fb5", "#5b8fca", "#7aa6d8", "#c0504d", "#d98880", "#9b8f3c", "#8a8a8a", "#555555", "#b0b0b0"];

/** Bars of wall time, a group for each size, each group in its own scale: 1,000 resources take a hundred times as long as one. */
export function plot({ title, rows }, command) {
  const sizes = [...new Set(rows.map(({ size }) => size))];
  const width = 640;
  const bar = 18;
  let y = 34;
  const parts = [];
  for (const size of sizes) {
    const group = rows.filter((row) => row.size === size);
    const longest = Math.max(...group.map((row) => row[command].wall));
    parts.push(`<text x="8" y="${y + 12}" font-weight="bold">${size} resource${size === 1 ? "" : "s"}</text>`);
    y += 20;
    for (const [index, row] of group.entries()) {
      const length = (row[command].wall / longest) * (width - 240);
      parts.push(
        `<text x="112" y="${y + 13}" text-anchor="end">${row.name}</text>`,
        `<rect x="120" y="${y + 2}" width="${length.toFixed(1)}" height="${bar - 4}" fill="${colors[index % colors.length]}"/>`,
        `<text x="${(126 + length).toFixed(1)}" y="${y + 13}">${row[command].wall.toFixed(2)} s</text>`,
      );
      y += bar;
    }
    y += 12;
  }
  const label = `${title}: ${command === "up" ? "up" : "second up, no changes"}, wall time`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" role="img" aria-label="${label}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${y}" fill="#ffffff"/>`,
    `<text x="8" y="20" font-size="14">${label}</text>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}
