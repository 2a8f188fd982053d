/**
 * Records the real CLI's output of previews and updates, for the tests of `voiceplane preview`:
 *
 *     npm run build && node tools/record-previews.mjs [NAME…]
 *
 * It uses one stack and its own control plane. Times and ids, which differ between runs, are replaced. Stack traces and
 * debug messages are removed, except for one that shows a secret of the scenarios, because a test needs it. Each step is on one line.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { root } from "./bootstrap.mjs";
import { scenarios } from "./record-previews/scenarios.mjs";
import { inProject, pulumi } from "./recording.mjs";

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

const names = process.argv.slice(2);
const isWanted = (name) => names.length === 0 || names.includes(name);

await inProject("previews", async ({ folder, env: common }, plane) => {
  const access = {
    VOICEPLANE_BASE_URL: plane.url,
    VOICEPLANE_TOKEN: plane.tokens.full,
    VOICEPLANE_TOKEN_EU: plane.tokens.full,
    TEST_CLOCK: "2026-08-22T09:00:00Z",
  };
  const run = (args, options) => pulumi({ folder, env: { ...common, ...access } }, args, options);
  const program = (source) => writeFileSync(path.join(folder, "index.js"), source);
  const organizationFile = (source) => {
    const file = path.join(folder, "organization.yaml");
    if (source === undefined) rmSync(file, { force: true });
    else writeFileSync(file, source);
  };
  program("");
  await run(["stack", "init", "dev"]);
  await run(["config", "set", "voiceplane:organization", "example"]);
  await run(["config", "set", "--secret", "previews:unused", "canary-of-a-config-secret"]);
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
    const printed = await run(args, { fails, env: { ...streaming, ...env } });
    if (name.includes(".") && isWanted(name))
      writeFileSync(path.join(target, name), withoutChance(printed, folder, plane.url));
  }
});
