/**
 * Runs the fault tests and copies the engine's output into docs/operate/when-something-went-wrong.md:
 *
 *     npm run build && node tools/write-operations.mjs       about five minutes
 *
 * A mark `<!-- shown: NAME -->` stands before a block, or after code in backquotes. The block is replaced by the whole
 * output, the code by the message alone. The rest of the page does not change.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import prettier from "prettier";

const root = path.resolve(import.meta.dirname, "..");
const page = path.join(root, "docs/operate/when-something-went-wrong.md");

/** The output of each scenario, by name. */
function runFaults() {
  const folder = mkdtempSync(path.join(tmpdir(), "voiceplane-operations-"));
  const report = path.join(folder, "shown.jsonl");
  try {
    const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
    const env = { ...process.env, VOICEPLANE_OPERATIONS_REPORT: report };
    // Skips the test of the page itself, which is about to change.
    const args = [jest, "test/campaigns/faults", "--testPathIgnorePatterns", "page.test.ts"];
    const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
    if (status !== 0)
      throw new Error("the fault tests failed, so docs/operate/when-something-went-wrong.md is unchanged");
    const lines = readFileSync(report, "utf8").trim().split("\n").map(JSON.parse);
    return Map.groupBy(lines, ({ scenario }) => scenario);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Removes the indentation that all lines share, and empty lines at both ends. */
function block(shown) {
  const lines = shown
    .map(({ output }) => output.replace(/^\s*\n/, "").trimEnd())
    .join("\n")
    .split("\n");
  const indents = lines.filter((line) => line !== "").map((line) => line.search(/\S/));
  const shared = Math.min(...indents);
  return lines.map((line) => line.slice(shared)).join("\n");
}

/** The part of the message after the request. Without a request, the message; without a message, the line itself. */
function message(shown) {
  const text = block(shown);
  const forms = [/ \/v1\/\S+ (.+)/, /error: (.+)/, /warning: (.+)/, /^(.+)$/];
  const [found] = forms.flatMap((form) => form.exec(text)?.[1] ?? []);
  if (found === undefined) throw new Error(`more than one line, and no message: ${text}`);
  return found.replaceAll(/ +/g, " ");
}

function withOutputs(text, shown) {
  const outputsOf = (scenario) => {
    const outputs = shown.get(scenario);
    if (outputs === undefined) throw new Error(`no test shows ${scenario}`);
    return outputs;
  };
  return text
    .replaceAll(
      /(<!-- shown: ([\w-]+) -->\n\n```text\n)[^]*?(?=```)/g,
      (_whole, mark, scenario) => `${mark}${block(outputsOf(scenario))}\n`,
    )
    .replaceAll(
      /`[^`\n]*` (<!-- shown: ([\w-]+) -->)(?!\n\n```)/g,
      (_whole, mark, scenario) => `\`${message(outputsOf(scenario))}\` ${mark}`,
    );
}

async function main() {
  const text = withOutputs(readFileSync(page, "utf8"), runFaults());
  const options = await prettier.resolveConfig(page);
  writeFileSync(page, await prettier.format(text, { ...options, filepath: page }));
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
