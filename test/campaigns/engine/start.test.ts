import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { blocks } from "../../support/docs/documents";
import { engineMemory } from "../../support/engine/installation";
import { compare } from "../../support/docs/walkthroughs";
import { until } from "../../support/processes";
import { engineScript, root, startNode, temporaryFolder, type Running } from "../../support/tools.js";

/** A control plane for tests of the start script: it only has to exist and close. */
const controlPlane = `
exports.startControlPlane = async ({ port, file }) => {
  const server = require("node:http").createServer((_request, response) => response.end("{}"));
  await new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(new Error("no port", { cause }))).listen(port, "127.0.0.1", resolve);
  });
  require("node:fs").writeFileSync(file, "");
  return {
    url: "http://127.0.0.1:" + server.address().port,
    tokens: { full: "vp_dev_full" },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};`;

/** Two resources. Each create writes into the file BEGUN when it has begun, and lasts until that file is removed. */
const program = `
const pulumi = require("@pulumi/pulumi");
const provider = {
  async create(inputs) {
    const { BEGUN } = process.env;
    const { appendFileSync, existsSync } = require("node:fs");
    if (BEGUN) appendFileSync(BEGUN, "x");
    while (BEGUN && existsSync(BEGUN)) await new Promise((resolve) => setTimeout(resolve, 20));
    return { id: "id", outs: inputs };
  },
  async diff(_id, olds, news) { return { changes: olds.address !== news.address }; },
};
class Thing extends pulumi.dynamic.Resource {
  constructor(name) {
    super(provider, name, { address: process.env.VOICEPLANE_BASE_URL });
  }
}
if (new pulumi.Config("voiceplane").require("organization") !== "dev") throw new Error("wrong organization");
if (!/^http:..127\\.0\\.0\\.1:\\d+$/.test(process.env.VOICEPLANE_BASE_URL)) throw new Error("wrong address");
if (process.env.VOICEPLANE_TOKEN !== "vp_dev_full") throw new Error("wrong token");
new Thing("one");
new Thing("two");`;

/** Instead of the root stack's. */
const otherProgram = {
  "Pulumi.yaml":
    "name: clone\nruntime: { name: nodejs, options: { typescript: false } }\nmain: dist/program/stack.js\n",
  "dist/program/stack.js": program,
  "dist/control-plane/index.js": controlPlane,
};

let enginePath: string;
beforeAll(async () => {
  const preset = process.env.VOICEPLANE_ENGINE;
  const { PATH = "", HOME = "" } = process.env;
  enginePath = preset ?? (await startNode([engineScript], { PATH, HOME }).ended).stdout.trim();
}, 600_000);

/** A clone of the project with its dependencies and its build. */
function clone(files: Readonly<Record<string, string>> = otherProgram): string {
  const folder = temporaryFolder();
  writeFileSync(
    path.join(folder, "package.json"),
    JSON.stringify({ name: "clone", version: "1.0.0", scripts: { build: "node -e 0" } }),
  );
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  // What is installed, so that the clone never installs: npm would empty the linked folder of the checkout.
  cpSync(path.join(root, "node_modules/.package-lock.json"), path.join(folder, "package-lock.json"));
  cpSync(path.join(root, "tools"), path.join(folder, "tools"), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  if (files === otherProgram) symlinkSync(path.join(root, "dist/cli"), path.join(folder, "dist/cli"));
  return folder;
}

function start(folder: string, args: string[] = [], env: Record<string, string> = {}): Running {
  const { PATH = "", HOME = "" } = process.env;
  const speed = { ...engineMemory, NODE_COMPILE_CACHE: path.join(tmpdir(), "compiled") };
  return startNode(["tools/start.mjs", ...args], { PATH: `${enginePath}:${PATH}`, HOME, ...speed, ...env }, folder);
}

/** The next line of output that contains this text. */
async function line(output: Readable | null, text: string): Promise<void> {
  if (!output) throw new Error("no output");
  for await (const each of createInterface({ input: output })) if (each.includes(text)) return;
  throw new Error(`ended without a line with "${text}"`);
}

/** Leaves a lock of the stack, as an engine in this process would. */
function leaveLock(folder: string, name: string, at: Date): void {
  const locked = path.join(folder, ".voiceplane/state/.pulumi/locks/organization/clone/dev");
  const lock = { pid: process.pid, username: "x", hostname: hostname(), timestamp: at.toISOString() };
  mkdirSync(locked, { recursive: true });
  writeFileSync(path.join(locked, name), JSON.stringify(lock));
}

/** Each run starts three engine processes, which takes long on a busy machine with two cores. */
const LIMIT_MS = 300_000;

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1);

/** The locks of a stack, where the engine's file backend stores them. */
function locks(folder: string): string[] {
  const all = path.join(folder, ".voiceplane/state/.pulumi/locks");
  if (!existsSync(all)) return [];
  return readdirSync(all, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
}

interface SavedState {
  readonly resources: readonly { readonly type: string }[];
  readonly pending_operations?: readonly unknown[];
}

function savedState(folder: string): SavedState {
  const file = path.join(folder, ".voiceplane/state/.pulumi/stacks/clone/dev.json");
  const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as { checkpoint: { latest: SavedState } };
  return checkpoint.latest;
}

test(
  "a first run creates, a second changes nothing and with --keep answers until Ctrl-C, and all files of both are in .voiceplane",
  async () => {
    const folder = clone();
    const before = readdirSync(folder);

    const first = await start(folder).ended;
    const address = /^ {6}(http:\S+)$/m.exec(first.stdout)?.[1];
    expect(first.stdout).toMatch(/^\[1\/5\] [^]*^\[2\/5\] [^]*^\[3\/5\] [^]*^\[4\/5\] [^]*^\[5\/5\] /m);
    const changes =
      "no requests, 2 other changes\n\nOther resources\n\n     pulumi-nodejs:dynamic:Resource: create 2\n";
    expect(first.stderr).toContain(`voiceplane preview: ${changes}`);
    expect(first.stdout).toContain(`voiceplane update: ${changes}`);
    expect(first.code).toBe(0);

    // A lock that is older than any run is removed.
    leaveLock(folder, "old.json", new Date(Date.now() - 3_600_000));
    // A missing stack configuration is written again.
    const configuration = path.join(folder, ".voiceplane/project/Pulumi.dev.yaml");
    rmSync(configuration);
    const second = start(folder, ["--keep"]);
    let url: string | undefined;
    second.child.stdout?.on("data", (chunk: Buffer) => {
      url ??= /stays at (\S+) until/.exec(chunk.toString())?.[1];
    });
    await line(second.child.stdout, "stays at ");
    if (url === undefined) throw new Error("the address was not printed");
    expect(url).toBe(address);
    expect((await fetch(url)).status).toBe(200);
    second.child.kill("SIGINT");
    const kept = await second.ended;
    expect(kept.stdout).toContain("voiceplane update: no changes\n");
    expect(kept.code).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
    expect(locks(folder)).toEqual([]);
    expect(readFileSync(configuration, "utf8")).toContain("voiceplane:organization: dev\n");

    expect(readdirSync(folder).sort()).toEqual([...before, ".voiceplane"].sort());
    expect(readdirSync(path.join(folder, ".voiceplane")).sort()).toEqual([
      "control-plane.json",
      "control-plane.port",
      "passphrase",
      "project",
      "pulumi-home",
      "state",
    ]);
    expect(statSync(path.join(folder, ".voiceplane/passphrase")).mode & 0o777).toBe(0o600);

    // A new one stays. Another program has the port of the earlier runs.
    leaveLock(folder, "new.json", new Date());
    const { port } = new URL(url);
    const other = createServer().listen(Number(port), "127.0.0.1");
    await once(other, "listening");
    const refused = await start(folder).ended;
    other.close();
    expect(refused.stdout).toContain(
      `      port ${port} is in use, so this run takes another one: the preview shows the new address of each resource\n`,
    );
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("the stack is currently locked by 1 lock(s)");
    expect(locks(folder)).toEqual([path.join("organization/clone/dev/new.json")]);
  },
  LIMIT_MS,
);

test(
  "the README shows the last lines of a first run",
  async () => {
    const [shown] = blocks.filter(({ file, role }) => file === "README.md" && role === "npm start");
    if (!shown) throw new Error("the README shows none");
    const stack = ["Pulumi.yaml", "organization.yaml"].map((name) => [
      name,
      readFileSync(path.join(root, name), "utf8"),
    ]);
    const folder = clone(Object.fromEntries(stack) as Record<string, string>);
    symlinkSync(path.join(root, "dist"), path.join(folder, "dist"));
    const running = start(folder, ["--keep"]);
    await line(running.child.stdout, "stays at ");
    running.child.kill("SIGINT");
    const { stdout } = await running.ended;
    const address = /stays at (\S+) until/.exec(stdout)?.[1] ?? "";
    compare(shown, stdout.replaceAll(address, "http://127.0.0.1:44187"));
  },
  LIMIT_MS,
);

test(
  "Ctrl-C during creates lets the engine save them and leaves no lock",
  async () => {
    const folder = clone();
    const begun = path.join(temporaryFolder(), "begun");
    const running = start(folder, [], { BEGUN: begun });
    await until(() => existsSync(begun) && readFileSync(begun, "utf8") === "xx");
    running.child.kill("SIGINT");
    running.child.kill("SIGINT"); // npm and the terminal send one signal each
    await line(running.child.stderr, "interrupted; waiting for requests in progress");
    rmSync(begun);
    const interrupted = await running.ended;
    expect(interrupted.code).toBe(130);
    expect(lastLine(interrupted.stdout)).toBe("stopped");
    expect(locks(folder)).toEqual([]);

    // Both are saved, so the next run creates nothing.
    const { resources, pending_operations: pending = [] } = savedState(folder);
    expect(resources.filter(({ type }) => type === "pulumi-nodejs:dynamic:Resource")).toMatchObject([
      { id: "id" },
      { id: "id" },
    ]);
    expect(pending).toEqual([]);
  },
  LIMIT_MS,
);
