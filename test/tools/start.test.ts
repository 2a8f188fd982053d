import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { engineScript, root, startNode, temporaryFolder, type Running } from "./support.js";

/** A control plane for the start script's own part: it only has to be there, and to be closed. */
const controlPlane = `
exports.startControlPlane = async ({ port, file }) => {
  const server = require("node:http").createServer((_request, response) => response.end("{}"));
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  require("node:fs").writeFileSync(file, "");
  return {
    url: "http://127.0.0.1:" + server.address().port,
    tokens: { full: "vp_dev_full" },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};`;

/** Two resources; each create says when it has begun, and takes SECONDS. */
const program = `
const pulumi = require("@pulumi/pulumi");
const provider = {
  async create(inputs) {
    console.log("create begins");
    await new Promise((resolve) => setTimeout(resolve, 1000 * inputs.seconds));
    return { id: "id", outs: inputs };
  },
  async diff() { return { changes: false }; },
};
class Thing extends pulumi.dynamic.Resource {
  constructor(name) { super(provider, name, { seconds: Number(process.env.SECONDS ?? 0) }); }
}
if (new pulumi.Config("voiceplane").require("account") !== "dev") throw new Error("wrong account");
if (!/^http:..127\\.0\\.0\\.1:\\d+$/.test(process.env.VOICEPLANE_BASE_URL)) throw new Error("wrong address");
if (process.env.VOICEPLANE_TOKEN !== "vp_dev_full") throw new Error("wrong token");
new Thing("one");
new Thing("two");`;

let enginePath: string;
beforeAll(async () => {
  const given = process.env.VOICEPLANE_ENGINE;
  const { PATH = "", HOME = "" } = process.env;
  enginePath = given ?? (await startNode([engineScript], { PATH, HOME }).ended).stdout.trim();
}, 600_000);

/** A clone of the project with its dependencies there, and another program in the place of the root stack's. */
function clone(): string {
  const folder = temporaryFolder();
  const files = {
    "package.json": JSON.stringify({ name: "clone", version: "1.0.0", scripts: { build: "node -e 0" } }),
    "Pulumi.yaml":
      "name: clone\nruntime: { name: nodejs, options: { typescript: false } }\nmain: dist/stack/index.js\n",
    "dist/stack/index.js": program,
    "dist/control-plane/index.js": controlPlane,
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  cpSync(path.join(root, "package-lock.json"), path.join(folder, "package-lock.json"));
  cpSync(path.join(root, "tools"), path.join(folder, "tools"), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return folder;
}

function start(folder: string, args: string[] = [], env: Record<string, string> = {}): Running {
  const { PATH = "", HOME = "" } = process.env;
  return startNode(["tools/start.mjs", ...args], { PATH: `${enginePath}:${PATH}`, HOME, ...env }, folder);
}

/** The next line of output that has this in it. */
async function line({ child }: Running, text: string): Promise<void> {
  if (!child.stdout) throw new Error("no output");
  for await (const each of createInterface({ input: child.stdout })) if (each.includes(text)) return;
  throw new Error(`ended without a line with "${text}"`);
}

/** Each run has three processes of the engine in it; a busy machine with two cores takes its time. */
const LIMIT_MS = 300_000;

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1);

/** The locks of a stack, as the engine's file backend keeps them. */
function locks(folder: string): string[] {
  const all = path.join(folder, ".voiceplane/state/.pulumi/locks");
  if (!existsSync(all)) return [];
  return readdirSync(all, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
}

test(
  "a first run creates, a second changes nothing, and all files of both are in .voiceplane",
  async () => {
    const folder = clone();
    const before = readdirSync(folder);

    const first = await start(folder).ended;
    expect(lastLine(first.stdout)).toBe("done: 2 created, 0 updated, 0 unchanged");
    expect(first.stdout).toMatch(/^\[1\/6\] [^]*^\[2\/6\] [^]*^\[3\/6\] [^]*^\[4\/6\] [^]*^\[5\/6\] [^]*^\[6\/6\] /m);
    expect(first.stdout).toContain("+ pulumi-nodejs:dynamic:Resource: (create)");
    const commands = first.stdout.match(/(?<=^ {2}\d\. | {5})(export PATH=|pulumi [a-z]+( init| set( --secret)?)?)/gm);
    expect(commands).toEqual([
      "export PATH=",
      "export PATH=",
      "pulumi login",
      "pulumi stack init",
      "pulumi config set",
      "pulumi config set --secret",
      "pulumi preview",
      "pulumi up",
    ]);
    expect(first.code).toBe(0);

    const second = await start(folder).ended;
    expect(lastLine(second.stdout)).toBe("done: 0 created, 0 updated, 2 unchanged");
    expect(readdirSync(folder).sort()).toEqual([...before, ".voiceplane"].sort());
    expect(readdirSync(path.join(folder, ".voiceplane")).sort()).toEqual([
      "control-plane.sqlite",
      "passphrase",
      "project",
      "pulumi-home",
      "state",
    ]);
    expect(statSync(path.join(folder, ".voiceplane/passphrase")).mode & 0o777).toBe(0o600);
  },
  LIMIT_MS,
);

test(
  "with --keep the control plane answers until Ctrl-C, and not after it",
  async () => {
    const running = start(clone(), ["--keep"]);
    let url: string | undefined;
    running.child.stdout?.on("data", (chunk: Buffer) => {
      url ??= /stays at (\S+) until/.exec(chunk.toString())?.[1];
    });
    await line(running, "done: 2 created");
    if (url === undefined) throw new Error("the address was not printed");
    expect((await fetch(url)).status).toBe(200);
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  },
  LIMIT_MS,
);

test(
  "Ctrl-C while resources are made lets the engine save them and leaves no lock",
  async () => {
    const folder = clone();
    const running = start(folder, [], { SECONDS: "2" });
    await line(running, "create begins");
    running.child.kill("SIGINT");
    running.child.kill("SIGINT"); // npm and the terminal send one each
    const interrupted = await running.ended;
    expect(interrupted.code).toBe(130);
    expect(lastLine(interrupted.stdout)).toBe("stopped");
    expect(locks(folder)).toEqual([]);

    const next = await start(folder).ended;
    expect(lastLine(next.stdout)).toBe("done: 0 created, 0 updated, 2 unchanged");
  },
  LIMIT_MS,
);

test(
  "a stack without its configuration, as an interruption leaves it, is given it by the next run",
  async () => {
    const folder = clone();
    const project = path.join(folder, ".voiceplane/project");
    const state = path.join(folder, ".voiceplane/state");
    for (const each of [project, state]) mkdirSync(each, { recursive: true });
    writeFileSync(path.join(folder, ".voiceplane/passphrase"), "the passphrase");
    writeFileSync(path.join(project, "Pulumi.yaml"), "name: clone\nruntime: nodejs\n");
    execFileSync(path.join(enginePath, "pulumi"), ["stack", "init", "dev", "--non-interactive"], {
      cwd: project,
      stdio: "ignore",
      env: {
        ...process.env,
        PULUMI_HOME: path.join(folder, ".voiceplane/pulumi-home"),
        PULUMI_BACKEND_URL: pathToFileURL(state).href,
        PULUMI_CONFIG_PASSPHRASE: "the passphrase",
      },
    });
    expect(lastLine((await start(folder).ended).stdout)).toBe("done: 2 created, 0 updated, 0 unchanged");

    rmSync(path.join(project, "Pulumi.dev.yaml"));
    expect(lastLine((await start(folder).ended).stdout)).toBe("done: 0 created, 0 updated, 2 unchanged");
  },
  LIMIT_MS,
);

test(
  "the lock of an engine that was killed is removed, that of a living one is not",
  async () => {
    const folder = clone();
    const lockFolder = path.join(folder, ".voiceplane/state/.pulumi/locks/organization/clone/dev");
    const lock = (pid: number) =>
      JSON.stringify({ pid, username: "x", hostname: hostname(), timestamp: "2026-01-01T00:00:00Z" });
    mkdirSync(lockFolder, { recursive: true });

    const gone = startNode(["-e", "0"], {});
    await gone.ended;
    writeFileSync(path.join(lockFolder, "dead.json"), lock(gone.child.pid ?? 0));
    expect(lastLine((await start(folder).ended).stdout)).toBe("done: 2 created, 0 updated, 0 unchanged");

    writeFileSync(path.join(lockFolder, "alive.json"), lock(process.pid));
    const refused = await start(folder).ended;
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("the stack is currently locked by 1 lock(s)");
    expect(locks(folder)).toEqual([path.join("organization/clone/dev/alive.json")]);
  },
  LIMIT_MS,
);
