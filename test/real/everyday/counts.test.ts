/**
 * What an update costs, counted and not timed: modules, bytes of state, requests, connections, processes. A limit that has to grow wants
 * a reason in the commit.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer, connect, type AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { installedPackage } from "../../support/engine/installation";
import { organization } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";

const policies = Array.from({ length: 24 }, (_, n) => `policy-${n}`);
const webhooks = Array.from({ length: 6 }, (_, n) => `webhook-${n}`);
const named = (ids: string[], more: object) => Object.fromEntries(ids.map((id) => [id, { id, ...more }]));

const organizationFile = JSON.stringify({
  networkPolicies: named(policies, { sourceCidr: "203.0.113.0/24" }),
  webhooks: named(webhooks, {}),
});

/** A project without code with 30 objects, whose connections are counted on their way. */
async function counted(): Promise<{ stack: Project; connections: () => number; modules: (role: string) => string[] }> {
  const target = await organization();
  target.control.reset();
  target.control.seed({
    organization: { rateLimits: null },
    networkPolicies: policies.map((id) => ({ id, name: id, source_cidr: "10.0.0.0/8" })),
    webhooks: webhooks.map((id) => ({ id, url: `https://example.com/${id}` })),
  });
  let connections = 0;
  const { hostname, port } = new URL(target.url);
  const relay = createServer((client) => {
    connections++;
    const server = connect(Number(port), hostname);
    client.on("error", () => server.destroy()).pipe(server);
    server.on("error", () => client.destroy()).pipe(client);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  relay.unref();
  const stack = await project({
    organization: target,
    files: {
      "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
      "organization.yaml": organizationFile,
    },
    env: { VOICEPLANE_BASE_URL: `http://127.0.0.1:${(relay.address() as AddressInfo).port}` },
  });
  mkdirSync(join(stack.folder, ".modules"));
  const modules = (role: string) =>
    readFileSync(join(stack.folder, ".modules", role), "utf8")
      .trim()
      .split("\n");
  return { stack, connections: () => connections, modules };
}

test("an update of 30 objects loads one file of this package in each process, keeps rows short, and reuses connections", async () => {
  const { stack, connections, modules } = await counted();
  const hook = join(__dirname, "../../support/engine/note-modules.cjs");
  await stack.up({
    flags: ["--parallel", "4"],
    env: { NODE_OPTIONS: `--require "${hook}"`, NOTED_MODULES: join(stack.folder, ".modules") },
  });

  const outside = (role: string) =>
    modules(role).filter((path) => !/[/\\]node_modules[/\\](?!pulumi-voiceplane|undici|zod|yaml)/.test(path));
  const own = (role: string) =>
    outside(role).map((path) => path.slice(path.lastIndexOf("pulumi-voiceplane") + "pulumi-voiceplane/".length));
  expect(own("program").filter((path) => path.startsWith("dist/"))).toEqual(["dist/program/stack.js"]);
  expect([...new Set(own("provider"))].sort()).toEqual([
    "dist/provider/dynamic/network-policy.js",
    "dist/provider/dynamic/providers.js",
    "dist/provider/dynamic/webhook-secret.js",
  ]);

  const rows = Object.values(stack.state()).filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/"));
  expect(rows).toHaveLength(30);
  const bytes = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0) / rows.length;
  expect(bytes).toBeLessThan(1060);

  expect(stack.organization.requests()).toHaveLength(30);
  // One for each rotation, and those that the others share, of which the engine asks for four at a time.
  expect(connections()).toBeLessThanOrEqual(6 + 4);
});

test("apply starts the CLI for the update and for reading the state, and no process where nothing can have changed", async () => {
  const { stack } = await counted();
  const log = join(stack.folder, ".calls");
  const bin = join(stack.folder, ".bin");
  const real = stack.environment.PATH?.split(delimiter)[0] ?? "";
  stack.write(".bin/pulumi", `#!/bin/sh\necho "$1 $2" >> "${log}"\nexec "${join(real, "pulumi")}" "$@"\n`);
  chmodSync(join(bin, "pulumi"), 0o755);
  stack.write(".calls", "");
  const apply = async () => {
    const cli = join(installedPackage(), "dist/cli/index.js");
    const child = spawn(process.execPath, [cli, "apply", "--stack", "dev"], {
      cwd: stack.folder,
      env: { ...stack.environment, PATH: [bin, stack.environment.PATH].join(delimiter) },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const { outcome } = JSON.parse(await text(child.stdout)) as { outcome: string };
    const calls = stack.read(".calls").split("\n").filter(Boolean);
    stack.write(".calls", "");
    return { outcome, calls };
  };
  expect(await apply()).toEqual({ outcome: "applied", calls: ["stack export", "up --yes", "stack export"] });
  expect(await apply()).toEqual({ outcome: "skipped", calls: [] });
});

test("the first update of one object fills the compile cache, also for the provider, which the engine ends by a signal", async () => {
  const cache = "compile-cache";
  const stack = await project({
    files: {
      "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
      "organization.yaml": "retention:\n  recordings: { days: 90 }\n",
    },
  });
  await stack.up({ env: { NODE_COMPILE_CACHE: join(stack.folder, cache) } });
  // Some 470 of the program, and 540 of the provider.
  expect(readdirSync(join(stack.folder, cache), { recursive: true }).length).toBeGreaterThan(800);
});
