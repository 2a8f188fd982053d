/**
 * Records the real CLI's output of previews and updates, for the tests of `voiceplane preview`:
 *
 *     npm run build && node tools/record-previews.mjs [NAME…]
 *
 * It uses one stack and its own control plane. Times and ids, which differ between runs, are replaced. Stack traces and
 * debug messages are removed, except for one that shows a secret of the scenarios, because a test needs it. Each step is on one line.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { startControlPlane } from "../dist/control-plane/index.js";
import { root } from "./bootstrap.mjs";
import { getEngine } from "./engine/index.mjs";
import { scenarios } from "./record-previews/scenarios.mjs";
import { run } from "./run.mjs";

const target = path.join(root, "test/unit/cli/report/previews");

function oneStepALine(digest) {
  const members = Object.entries(digest).map(([name, value]) => {
    const lines =
      name === "steps" ? `[\n${value.map((step) => JSON.stringify(step)).join(",\n")}\n]` : JSON.stringify(value);
    return `${JSON.stringify(name)}:${lines}`;
  });
  return `{\n${members.join(",\n")}\n}`;
}

function withoutChance(printed, folder, url) {
  const guids = new Map();
  return printed
    .replaceAll(/^\{$[^]*?^\}$/gm, (digest) => oneStepALine(JSON.parse(digest, withoutTraces)))
    .replaceAll(/^\{"sequence".*\n/gm, (line) => {
      const event = JSON.parse(line, withoutTraces);
      const isNoise = event.diagnosticEvent?.severity === "debug" && !line.includes("canary-of-another-provider");
      return isNoise ? "" : `${JSON.stringify(event)}\n`;
    })
    .replaceAll(url, "http://127.0.0.1:8000")
    .replaceAll(folder, "/project")
    .replaceAll(root, "/checkout")
    .replaceAll(/"(created|modified|rotatedAt)":( ?)"[^"]+"/g, '"$1":$2"2026-08-22T09:00:00.000Z"')
    .replaceAll(/"(timestamp|duration|durationSeconds)":( ?)\d+/g, '"$1":$20')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g, (guid) => {
      // The ids of the control plane's objects and the engine's mark of an unknown value are kept.
      if (/^[abc]0000000-|^04da6b54-/.test(guid)) return guid;
      const number = guids.get(guid) ?? guids.size + 1;
      guids.set(guid, number);
      return `d0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    });
}

const withoutTraces = (key, value) => (["stackTrace", "sourcePosition"].includes(key) ? undefined : value);

/** Calls `record` with a new project and a new control plane, both of which are gone after it. */
async function inProject(name, record) {
  const engine = await getEngine({ yaml: true, log: { line: console.error, update: () => undefined } });
  const plane = await startControlPlane();
  const folder = makeProject(name);
  try {
    await record({ folder, env: environmentOf(folder, engine) }, plane);
  } finally {
    await plane.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A project whose program is index.js, with a folder for its state. It is inside the checkout, whose node_modules have
 * a link to the package itself.
 */
function makeProject(name) {
  mkdirSync(path.join(root, ".voiceplane"), { recursive: true });
  const folder = mkdtempSync(path.join(root, ".voiceplane/record-"));
  mkdirSync(path.join(folder, "state"));
  const runtime = "runtime: { name: nodejs, options: { typescript: false } }";
  writeFileSync(path.join(folder, "Pulumi.yaml"), `name: ${name}\n${runtime}\nmain: index.js\n`);
  return folder;
}

/** An environment without the user's own Pulumi settings, with a clock that starts at `TEST_CLOCK`. */
function environmentOf(folder, engine) {
  return {
    PATH: [engine.dir, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: folder,
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_BACKEND_URL: pathToFileURL(path.join(folder, "state")).href,
    // Public, because it encrypts only the tests' secrets.
    PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    NODE_OPTIONS: `--require "${path.join(root, "test/support/engine/pin-clock.cjs")}"`,
  };
}

/**
 * Runs the CLI in a project and returns its output.
 *
 * @param {{fails?: boolean, env?: NodeJS.ProcessEnv}} options
 * @throws {Error} unless it succeeds, or fails if `fails` is set.
 */
async function pulumi({ folder, env: common }, args, { fails = false, env } = {}) {
  const options = { cwd: folder, env: { ...common, ...env } };
  const { code, stdout, tail } = await run("pulumi", [...args, "--non-interactive", "--color", "never"], options);
  if ((code === 0) === fails) throw new Error(`pulumi ${args.join(" ")}: exit code ${code}\n${tail}`);
  return `${stdout}\n`;
}

const names = process.argv.slice(2);
const isWanted = (name) => names.length === 0 || names.includes(name);

await inProject("previews", async ({ folder, env: common }, plane) => {
  const access = {
    VOICEPLANE_BASE_URL: plane.url,
    VOICEPLANE_TOKEN: plane.tokens.full,
    VOICEPLANE_TOKEN_EU: plane.tokens.full,
    TEST_CLOCK: "2026-08-22T09:00:00Z",
  };
  const runHere = (args, options) => pulumi({ folder, env: { ...common, ...access } }, args, options);
  const program = (source) => writeFileSync(path.join(folder, "index.js"), source);
  const organizationFile = (source) => {
    const file = path.join(folder, "organization.yaml");
    if (source === undefined) rmSync(file, { force: true });
    else writeFileSync(file, source);
  };
  program("");
  await runHere(["stack", "init", "dev"]);
  await runHere(["config", "set", "voiceplane:organization", "example"]);
  await runHere(["config", "set", "--secret", "previews:unused", "canary-of-a-config-secret"]);
  mkdirSync(target, { recursive: true });
  for (const { name, command, options = [], program: source, file, faults = [], fails, env } of scenarios) {
    const isPreview = command === undefined;
    if (isPreview && !isWanted(name)) continue;
    console.error(name);
    program(source);
    organizationFile(file);
    plane.control.setFaults(faults);
    const streaming = isPreview && name.endsWith(".events") && { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
    const args = command ?? ["preview", "--json", "--show-sames", ...options];
    const printed = await runHere(args, { fails, env: { ...streaming, ...env } });
    if (name.includes(".") && isWanted(name))
      writeFileSync(path.join(target, name), withoutChance(printed, folder, plane.url));
  }
});
