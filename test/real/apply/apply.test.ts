/** `voiceplane apply` with the real engine, on the package as packed. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { ApplyResult } from "../../../src/apply/index";
import type { FaultInput } from "../../../src/control-plane/index";
import { expectCurrentSecret, expectSound, locksOf, processesOf, rotationsOf } from "../../support/faults/aftermath";
import { installedPackage } from "../../support/engine/installation";
import { ids } from "../../support/engine/organization";
import { project, yamlProject, type Project } from "../../support/engine/project";

interface Applied extends Omit<ApplyResult, "exitCode"> {
  readonly code: number | null;
}

interface RunningApply {
  readonly child: ChildProcess;
  readonly finished: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
});

interface Options {
  readonly stack?: string;
  readonly flags?: readonly string[];
  /** The time of all processes, ISO 8601. */
  readonly at?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Each run starts a minute after the one before it, as the record says when the last one ended. */
let minutes = 0;
const nextMinute = (): string => new Date(Date.UTC(2026, 10, 20, 12, minutes++)).toISOString();

function startApply(
  stack: Project,
  { stack: name = "dev", flags = [], at = nextMinute(), env = {} }: Options = {},
): RunningApply {
  stack.organization.control.setClock(at);
  const cli = join(installedPackage(), "dist/cli/index.js");
  const temporary = join(stack.folder, ".tmp");
  mkdirSync(temporary, { recursive: true });
  const child = spawn(process.execPath, [cli, "apply", "--stack", name, ...flags], {
    cwd: stack.folder,
    env: {
      ...stack.environment,
      TMPDIR: temporary,
      NODE_OPTIONS: `--require "${join(__dirname, "../../support/engine/pin-clock.cjs")}"`,
      TEST_CLOCK: at,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const finished = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]) => {
      running.delete(child);
      return { code: code as number | null, stdout, stderr };
    },
  );
  return { child, finished };
}

async function resultOf({ finished }: RunningApply): Promise<Applied> {
  const { code, stdout, stderr } = await finished;
  const lines = stdout.trim().split("\n");
  if (lines.length !== 1) throw new Error(`not one line: ${stdout}\n${stderr}`);
  expect(stdout + stderr).not.toContain("vp_dev_");
  return { ...(JSON.parse(lines[0] ?? "") as ApplyResult), code };
}

const applied = async (stack: Project, options: Options = {}): Promise<Applied> => resultOf(startApply(stack, options));

/** A `pulumi` that notes each call, first on PATH. */
function recordedPulumi(stack: Project): { readonly env: NodeJS.ProcessEnv; calls(): boolean } {
  const folder = join(stack.folder, "recorder");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\ntouch "${folder}/called"\nexit 1\n`);
  chmodSync(join(folder, "pulumi"), 0o755);
  return {
    env: { PATH: [folder, stack.environment.PATH].join(delimiter) },
    calls: () => existsSync(join(folder, "called")),
  };
}

/** Without this run's own files, which are removed after success. */
const leftFiles = (stack: Project): string[] =>
  readdirSync(join(stack.folder, ".tmp"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /voiceplane-apply-\d+\/./.test(name),
  );

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const slow: FaultInput = { operation: "rotateWebhookSecret", effect: "latency", latencyMs: 6_000, count: 1 };
/** Rotates the secret and never answers. */
const unanswered: FaultInput = { operation: "rotateWebhookSecret", effect: "hang", commit: true, count: 1 };

const webhook = (round: string, rest = "") =>
  `webhooks:\n  crm: { id: ${ids.crm}, triggers: { round: "${round}" }${rest} }\n`;

const organizationProject = (organizationFile: string) =>
  project({
    files: {
      "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
      "organization.yaml": organizationFile,
    },
  });

/** Resolves when the server has received the rotation. */
async function rotating(stack: Project, fault: FaultInput, options: Options = {}): Promise<RunningApply> {
  stack.organization.control.setFaults([fault]);
  const started = startApply(stack, options);
  await stack.until(() => stack.organization.control.faults().length === 0);
  return started;
}

test("a YAML project with nothing but resources of voiceplane is skipped too, until its file changes", async () => {
  const recordings = (days: number) => ({
    resources: {
      recordings: { type: "voiceplane:RetentionPolicy", properties: { resource: "recordings", retentionDays: days } },
    },
  });
  const stack = await yamlProject(recordings(90));
  expect(await applied(stack)).toMatchObject({ outcome: "applied", requests: 1 });
  expect(await applied(stack)).toMatchObject({ outcome: "skipped", requests: 0, code: 0 });
  stack.yaml(recordings(365));
  expect(await applied(stack)).toMatchObject({ outcome: "applied", reason: "changed since the last run: Pulumi.yaml" });
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}',
  ]);
});

test("a run is applied, then skipped without a process and without a request, until exactly the due stack is run", async () => {
  const stack = await organizationProject(
    `retention:\n  recordings: { days: 90 }\n${webhook("0", ", rotateAfter: 90d")}`,
  );
  await stack.run(["stack", "init", "other", "--no-select"]);
  stack.write("other.yaml", "retention:\n  audit_events: { days: 30 }\n");
  await stack.run(["config", "set", "voiceplane:organizationFile", "other.yaml", "--stack", "other"]);
  const seldom = ["--full-pass-after", "1000"];

  expect(await applied(stack)).toMatchObject({
    organization: "dev",
    stack: "dev",
    outcome: "applied",
    reason: "there is no record of an earlier run",
    summary: "2 requests: deletes data, rotates a secret",
    requests: 2,
    rotations: 1,
    uncertain: 0,
    nextDueDate: "2027-02-18",
    rotatedAgain: [],
    pending: [],
    log: null,
    code: 3,
  });
  expect(await applied(stack, { stack: "other" })).toMatchObject({ outcome: "applied", nextDueDate: null });
  expect(leftFiles(stack)).toEqual([]);
  stack.organization.forgetRequests();

  const recorder = recordedPulumi(stack);
  const { env } = recorder;
  const nothingToDo = { outcome: "skipped", requests: 0, rotations: 0, code: 0 };
  const eve = { at: "2027-02-17T12:00:00Z", flags: seldom, env };
  expect(await applied(stack, eve)).toMatchObject({ ...nothingToDo, nextDueDate: "2027-02-18" });
  expect(await applied(stack, { ...eve, stack: "other" })).toMatchObject(nothingToDo);
  expect(recorder.calls()).toBe(false);

  const day = { at: "2027-02-18T00:00:05Z", flags: seldom };
  expect(await applied(stack, { ...day, env, stack: "other" })).toMatchObject(nothingToDo);
  expect(recorder.calls()).toBe(false);
  expect(stack.organization.requests()).toEqual([]);
  expect(await applied(stack, day)).toMatchObject({
    outcome: "applied",
    reason: "due since 2027-02-18",
    requests: 2,
    rotations: 1,
    nextDueDate: "2027-05-19",
  });
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/", rotation]);
  const later = { at: "2027-02-18T01:00:00Z", flags: seldom, env };
  expect(await applied(stack, later)).toMatchObject(nothingToDo);

  // The state changed without an update: the record is no proof any more.
  await stack.run(["state", "delete", stack.state()["org-recordings"]?.urn ?? "", "--yes", "--stack", "dev"]);
  expect(await applied(stack, later)).toMatchObject({ outcome: "failed", code: 1 });
  expect(recorder.calls()).toBe(true);
});

test("a live run keeps its lock, and one of two applies runs; a killed apply loses nothing; after a killed CLI one rotation more is named, and nothing stays pending", async () => {
  const stack = await organizationProject(webhook("0"));
  const rotations = () => rotationsOf(stack)[ids.crm] ?? 0;
  const recorded = () => stack.state()["org-crm"]?.outputs?.rotationCount;

  // The first run dies during its create, with its CLI.
  const create = await rotating(stack, unanswered);
  create.child.kill("SIGKILL");
  for (const { pid, command } of processesOf(stack)) if (/^pulumi up\b/.test(command)) process.kill(pid, "SIGKILL");
  await create.finished;
  expect(rotations()).toBe(1);
  await stack.until(() => processesOf(stack).length === 0);
  expect(locksOf(stack)).toHaveLength(1);

  const after = await applied(stack);
  expect(after).toMatchObject({
    outcome: "applied",
    reason: "the last run did not end",
    // To clear the pending create, nothing is read.
    requests: 1,
    rotations: 1,
    rotatedAgain: [{ name: "org-crm", webhook: ids.crm, why: "an earlier run died while creating it" }],
    pending: [],
  });
  expect(after.staleLocks).toEqual([
    expect.stringMatching(/^\S+@\S+ \(pid \d+\) since \S+: process \d+ of this machine is gone$/),
  ]);
  expect([rotations(), recorded()]).toEqual([2, 1]);
  await expectSound(stack);
  expectCurrentSecret(stack, "org-crm");
  expect(await applied(stack)).toMatchObject({ outcome: "skipped" });
  expect(leftFiles(stack)).toEqual([]);

  // apply alone dies: its CLI finishes, and the next apply waits for it.
  stack.write("organization.yaml", webhook("1"));
  const update = await rotating(stack, slow);
  update.child.kill("SIGKILL");
  await update.finished;
  const locks = locksOf(stack);
  expect(locks).toHaveLength(1);
  const limit = ["--cancel-locks-after", "1s"];
  const refused = await applied(stack, { flags: limit });
  expect(refused).toMatchObject({ outcome: "locked", requests: 0, code: 4 });
  expect(refused.reason).toMatch(/^another apply of this machine runs the stack \(pid \d+\)$/);
  expect(locksOf(stack)).toEqual(locks);
  await expectSound(stack);
  expect([rotations(), recorded()]).toEqual([3, 2]);
  expectCurrentSecret(stack, "org-crm");
  expect(await applied(stack)).toMatchObject({ outcome: "unchanged", requests: 0, rotatedAgain: [], code: 0 });

  // A person's run is live: its lock stays, also beyond the limit.
  stack.write("organization.yaml", webhook("2"));
  stack.organization.control.setFaults([slow]);
  const person = stack.startUp();
  await stack.until(() => stack.organization.control.faults().length === 0);
  const held = locksOf(stack);
  const locked = await applied(stack, { flags: limit, at: "2026-11-20T18:00:00Z" });
  expect(locked).toMatchObject({ outcome: "locked", code: 4 });
  expect(locked.reason).toMatch(/^the stack is locked by \S+@\S+ \(pid \d+\) since \S+$/);
  expect(locksOf(stack)).toEqual(held);
  expect((await person.finished).code).toBe(0);
  expect([rotations(), recorded()]).toEqual([4, 3]);

  // Two at once: one runs. One SIGINT lets it end its call.
  stack.write("organization.yaml", webhook("3"));
  const first = await rotating(stack, slow);
  expect(await applied(stack)).toMatchObject({ outcome: "locked", code: 4 });
  first.child.kill("SIGINT");
  expect(await resultOf(first)).toMatchObject({
    outcome: "failed",
    reason: "interrupted",
    rotations: 1,
    uncertain: 0,
    code: 1,
  });
  expect([rotations(), recorded()]).toEqual([5, 4]);
  await expectSound(stack);

  // The lost answer of a run that ended is named too.
  stack.write("organization.yaml", webhook("4"));
  stack.organization.control.setFaults([{ operation: "rotateWebhookSecret", effect: "reset", commit: true, count: 1 }]);
  const lost = await applied(stack);
  expect(lost).toMatchObject({ outcome: "failed", rotations: 0, uncertain: 1, code: 1 });
  expect(lost.log).toEqual(expect.stringContaining("voiceplane-apply-"));
  expect(await applied(stack)).toMatchObject({
    outcome: "applied",
    rotations: 1,
    rotatedAgain: [{ name: "org-crm", webhook: ids.crm, why: "the answer to its last rotation was lost" }],
  });
  expect(await applied(stack)).toMatchObject({ outcome: "skipped" });
});

const policies = ["--policy-pack", resolve(__dirname, "../../../examples/policies")];

test("with a policy pack, a violation sends nothing of the resources that comply; then the run, also one that is killed in an update, is whole, and its spans are one trace", async () => {
  const retention = "retention:\n  recordings: { days: 90 }\n";
  const stack = await organizationProject(retention + webhook("0"));
  const violating = await applied(stack, { flags: policies });
  expect(violating).toMatchObject({ outcome: "failed", summary: "", risks: [], requests: 0, rotations: 0, code: 1 });
  expect(violating.reason).toBe(
    "the policy webhook-rotation was violated for org-crm: A webhook's secret is rotated regularly. " +
      'rotateAfter is missing: declare "90d" or less.',
  );
  expect(stack.organization.requests()).toEqual([]);
  expect(stack.state()).toEqual({});

  const RECORDED = join(stack.folder, "recorded");
  const required = [
    join(__dirname, "../../support/engine/pin-clock.cjs"),
    join(__dirname, "../../telemetry/register.cjs"),
  ];
  const telemetry = {
    OTEL_TRACES_EXPORTER: "otlp",
    OTEL_METRICS_EXPORTER: "otlp",
    NODE_OPTIONS: required.map((file) => `--require "${file}"`).join(" "),
    RECORDED,
  };
  const recorded = (kind: string) =>
    readFileSync(`${RECORDED}.${kind}`, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown> & { readonly name: string });
  const complying = (round: string) => retention + webhook(round, ", rotateAfter: 90d");
  stack.write("organization.yaml", complying("0"));
  expect(await applied(stack, { flags: policies, env: telemetry })).toMatchObject({
    outcome: "applied",
    summary: "2 requests: deletes data, rotates a secret",
    requests: 2,
    rotations: 1,
    nextDueDate: "2027-02-18",
    code: 3,
  });
  const spans = recorded("spans").filter(({ name }) => name !== "a span of the user's own");
  const [run] = spans.filter(({ name }) => name === "voiceplane apply");
  expect(run?.attributes).toEqual({
    "voiceplane.organization": "dev",
    "voiceplane.stack": "dev",
    "voiceplane.outcome": "applied",
    "voiceplane.requests": 2,
    "voiceplane.rotations": 1,
    "voiceplane.rotated_again": 0,
    "voiceplane.uncertain": 0,
  });
  const requests = spans.filter(({ name }) => name !== "voiceplane apply");
  expect(requests.map(({ name }) => name).sort()).toEqual([
    "POST /v1/webhooks/{webhook_id}/rotate-secret",
    "PUT /v1/retention-policies/{resource}",
  ]);
  for (const { traceId, parent } of requests)
    expect({ traceId, parent }).toEqual({ traceId: run?.traceId, parent: run?.spanId });
  expect(recorded("metrics")).toContainEqual({
    kind: "metrics",
    name: "voiceplane.runs",
    attributes: { "voiceplane.organization": "dev", "voiceplane.outcome": "applied" },
    value: 1,
  });
  expect(await applied(stack, { flags: policies, env: telemetry })).toMatchObject({ outcome: "skipped" });
  expect(recorded("spans").at(-1)).toMatchObject({
    name: "voiceplane apply",
    attributes: { "voiceplane.outcome": "skipped", "voiceplane.requests": 0 },
  });

  stack.write("organization.yaml", complying("1"));
  const update = await rotating(stack, unanswered, { flags: policies });
  update.child.kill("SIGKILL");
  for (const { pid, command } of processesOf(stack)) if (/^pulumi up\b/.test(command)) process.kill(pid, "SIGKILL");
  await update.finished;
  await stack.until(() => processesOf(stack).length === 0);
  expect(rotationsOf(stack)[ids.crm]).toBe(2);
  const after = await applied(stack, { flags: policies });
  expect(after).toMatchObject({
    outcome: "applied",
    rotations: 1,
    rotatedAgain: [{ name: "org-crm", webhook: ids.crm, why: "an earlier run died while updating it" }],
    pending: [],
  });
  expect(after.staleLocks).toHaveLength(1);
  expect(rotationsOf(stack)[ids.crm]).toBe(3);
  await expectSound(stack);
  expectCurrentSecret(stack, "org-crm");
  expect(await applied(stack, { flags: policies })).toMatchObject({ outcome: "skipped" });
});
