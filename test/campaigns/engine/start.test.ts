/** `npm start` in a clone, from its first run on, and Ctrl-C. */
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { blocks, compare } from "../../support/docs/documents";
import { read, root } from "../../support/repository";
import { engineMemory } from "../../support/engine/installation";
import type { Running } from "../../support/processes";
import { clone, engineScript, startNode } from "../../support/tools";

// Each run starts three engine processes, which takes long on a busy machine with two cores.
jest.setTimeout(600_000);

let enginePath: string;
beforeAll(async () => {
  const preset = process.env.VOICEPLANE_ENGINE;
  const { PATH = "", HOME = "" } = process.env;
  enginePath = preset ?? (await startNode([engineScript], { PATH, HOME }).finished).stdout.trim();
});

/** A clone of the project with its dependencies, its build and its stack. */
function cloneOfProject(files: Readonly<Record<string, string>> = {}): string {
  const folder = clone({
    "package.json": JSON.stringify({ name: "clone", version: "1.0.0", scripts: { build: "node -e 0" } }),
    "Pulumi.yaml": read("Pulumi.yaml"),
    "organization.yaml": read("organization.yaml"),
    ...files,
  });
  // What is installed, so that the clone never installs: npm would empty the linked folder of the checkout.
  cpSync(path.join(root, "node_modules/.package-lock.json"), path.join(folder, "package-lock.json"));
  for (const name of ["node_modules", "dist"]) symlinkSync(path.join(root, name), path.join(folder, name));
  return folder;
}

function start(folder: string, ...args: string[]): Running {
  const { PATH = "", HOME = "" } = process.env;
  const speed = { ...engineMemory, NODE_COMPILE_CACHE: path.join(tmpdir(), "compiled") };
  return startNode(["tools/start.mjs", ...args], { PATH: `${enginePath}:${PATH}`, HOME, ...speed }, folder);
}

/** Where the engine's file backend keeps the locks of a stack. */
const locksIn = (folder: string) => path.join(folder, ".voiceplane/state/.pulumi/locks/organization/voiceplane/dev");

const locks = (folder: string) => (existsSync(locksIn(folder)) ? readdirSync(locksIn(folder)) : []);

test("a first run creates, as the README shows, and answers until Ctrl-C; a second changes nothing; all files of both are in .voiceplane", async () => {
  const folder = cloneOfProject();
  const before = readdirSync(folder);
  const first = start(folder, "--keep");
  const url = await first.printed(/stays at (\S+) until/);
  expect((await fetch(url)).status).toBe(200);
  first.kill("SIGINT");
  const { code, stdout, stderr } = await first.finished;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\[1\/5\] [^]*^\[2\/5\] [^]*^\[3\/5\] [^]*^\[4\/5\] [^]*^\[5\/5\] /m);
  expect(stdout + stderr).toContain("voiceplane preview: 5 requests: ");
  expect(stdout).toContain("\n    + 7 created\n");
  const shown = blocks.find(({ file, role }) => file === "README.md" && role === "npm start");
  if (!shown) throw new Error("the README shows none");
  compare(shown, stdout.replaceAll(url, "http://127.0.0.1:44187"));
  await expect(fetch(url)).rejects.toThrow();

  // A missing configuration of the stack is written again.
  const configuration = path.join(folder, ".voiceplane/project/Pulumi.dev.yaml");
  rmSync(configuration);
  const second = await start(folder).finished;
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining("\n    7 unchanged\n")]);
  expect(second.stdout).toContain(`\n      ${url}\n`);
  expect(readFileSync(configuration, "utf8")).toContain("voiceplane:organization: dev\n");

  expect(readdirSync(folder).sort()).toEqual([...before, ".voiceplane"].sort());
  const files = ["control-plane.json", "control-plane.port", "passphrase", "project", "pulumi-home", "state"];
  expect(readdirSync(path.join(folder, ".voiceplane")).sort()).toEqual(files);
  expect(statSync(path.join(folder, ".voiceplane/passphrase")).mode & 0o777).toBe(0o600);

  // Another program has the port of the earlier runs.
  const { port } = new URL(url);
  const other = createServer().listen(Number(port), "127.0.0.1");
  await once(other, "listening");
  const moved = await start(folder).finished;
  other.close();
  expect(moved.stdout).toContain(
    `      port ${port} is in use, so this run takes another one: the preview shows the new address of each resource\n`,
  );
  expect(moved.code).toBe(0);
});

/** The server holds both requests of the update. */
const held = `
const { runtime } = require("@pulumi/pulumi");
const { RetentionPolicy } = require("pulumi-voiceplane");
module.exports = async () => {
  const faults = [{ operation: "putRetentionPolicy", hold: "before", count: 2 }];
  const request = { method: "PUT", body: JSON.stringify(faults), headers: { "content-type": "application/json" } };
  if (!runtime.isDryRun()) await fetch(process.env.VOICEPLANE_BASE_URL + "/_control/faults", request);
  for (const resource of ["recordings", "conversations"])
    new RetentionPolicy(resource, { resource, onCreate: "overwrite", retentionDays: 90 });
};`;

test("Ctrl-C during creates lets the engine save them and leaves no lock", async () => {
  const folder = cloneOfProject({
    "Pulumi.yaml": read("Pulumi.yaml").replace("dist/program/stack.js", "held.js"),
    "held.js": held,
  });
  const running = start(folder);
  const url = await running.printed(/^ {6}(http:\S+)$/m);
  const isHeld = await fetch(`${url}/_control/held?operation=putRetentionPolicy&count=2`);
  expect(isHeld.status).toBe(200);
  running.kill("SIGINT");
  running.kill("SIGINT"); // npm and the terminal send one signal each
  await fetch(`${url}/_control/release`, { method: "POST" });
  const { code, stdout } = await running.finished;
  expect([code, stdout.trimEnd().split("\n").at(-1)]).toEqual([130, "stopped"]);
  expect(locks(folder)).toEqual([]);

  // Both are saved, so the next run creates nothing.
  const file = path.join(folder, ".voiceplane/state/.pulumi/stacks/voiceplane/dev.json");
  const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as {
    checkpoint: { latest: { resources: { id?: string; type: string }[]; pending_operations?: unknown[] } };
  };
  const { resources, pending_operations: pending = [] } = checkpoint.latest;
  const created = resources.filter(({ type }) => type.endsWith(":RetentionPolicy")).map(({ id }) => id);
  expect(created.sort()).toEqual(["conversations", "recordings"]);
  expect(pending).toEqual([]);
});
