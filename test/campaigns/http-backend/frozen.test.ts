/** A run is stopped past its lease, as by a closed laptop, and another one updates the stack. What the first one does when it goes on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { organizationProject, resultOf, startApply } from "../../support/engine/apply";
import { httpBackend, testProcessesOnHttp } from "../../support/engine/http-backend";
import { filesBelow } from "../../support/engine/output";
import { project, type Project } from "../../support/engine/project";
import { expectCurrentSecret, processesOf, rotationsOf } from "../../support/faults/aftermath";

/** One provider has 32 requests in flight at most. */
const [count, inFlight] = [40, 32];
const names = Array.from({ length: count }, (_, index) => `w${String(index + 1).padStart(2, "0")}`);
const idOf = (name: string): string => `c0000000-0000-4000-8000-0000000001${name.slice(1)}`;

const program = (round: string): string =>
  names
    .map(
      (name) =>
        `new WebhookSecret("${name}", { webhookId: "${idOf(name)}", onCreate: "rotate", triggers: { round: "${round}" } });`,
    )
    .join("\n");

const file = (round: string): string =>
  `webhooks:\n${names.map((name) => `  ${name}: { id: ${idOf(name)}, onCreate: rotate, triggers: { round: "${round}" } }\n`).join("")}`;

const refusal =
  /rotate-secret was not sent: this run was stopped for \d+ s, so its lease on the state may have ended\. Run the update again\./g;

/** The machine's clock as its processes see it, which goes on while they are stopped. The tests do not wait for that. */
function clockOf(stack: Project) {
  const set = (days: number): void => {
    stack.write("clock", String(days));
  };
  set(0);
  const preload = join(__dirname, "../../support/faults/movable-clock.cjs");
  const env = {
    NODE_OPTIONS: `--require "${preload}"`,
    CLOCK_FILE: join(stack.folder, "clock"),
    VOICEPLANE_REQUEST_LOG: join(stack.folder, "requests.log"),
  };
  return { set, env };
}

const declareWebhooks = (stack: Project): void => {
  stack.organization.control.seed({
    webhooks: names.map((name) => ({ id: idOf(name), url: "https://hooks.example.com/" })),
  });
};

/** From now on, the server carries out as many rotations as can be in flight, and answers none. */
const hold = (stack: Project): void => {
  stack.organization.control.setFaults([
    { operation: "rotateWebhookSecret", connection: "hang", commit: true, count: inFlight },
  ]);
};

const isHeld = (stack: Project) => (): boolean => stack.organization.control.faults().length === 0;

const rotated = (stack: Project): number => Object.values(rotationsOf(stack)).reduce((sum, each) => sum + each, 0);

/** By the request log, or by the journal of apply, which copies it to the log when its run has ended. */
const hasRefused = (stack: Project): boolean =>
  filesBelow(stack.folder)
    .filter((name) => /requests\.log$|\.journal\//.test(name))
    .some((name) => readFileSync(name, "utf8").includes('"result":"not-sent"'));

/**
 * Stops all processes of the stack past the lease, and does `meanwhile`. The engine goes on last, when the provider has refused what it
 * had left to send: an engine that is quicker ends the provider before that.
 */
async function whileStopped(stack: Project, clock: ReturnType<typeof clockOf>, meanwhile: () => Promise<unknown>) {
  const stopped = processesOf(stack);
  const engines = stopped.filter(({ command }) => /^(?:\S*\/)?pulumi /.test(command));
  expect([stopped.length > 2, engines.length]).toEqual([true, 1]);
  const signal = (name: NodeJS.Signals, processes: typeof stopped) => {
    for (const { pid } of processes) process.kill(pid, name);
  };
  signal("SIGSTOP", stopped);
  try {
    clock.set(0.01);
    await stack.backend?.control.expireLease("tester/test/dev");
    await meanwhile();
    signal(
      "SIGCONT",
      stopped.filter((each) => !engines.includes(each)),
    );
    await stack.until(() => hasRefused(stack));
  } finally {
    // Also after a failure: a process that is stopped would outlive the test.
    signal("SIGCONT", engines);
  }
}

testProcessesOnHttp("a run that was stopped past its lease rotates nothing more when it goes on", async () => {
  const stack = await project({ backend: await httpBackend() });
  const clock = clockOf(stack);
  declareWebhooks(stack);
  stack.native(program("0"));
  await stack.up();
  stack.native(program("1"));
  hold(stack);
  const first = stack.startUp({ flags: ["--parallel", "128"], env: clock.env });
  await stack.until(isHeld(stack));
  await whileStopped(stack, clock, async () => {
    expect(await stack.up()).toContain("interrupted while updating");
    expect(rotated(stack)).toBe(count + inFlight + count);
  });
  const { code, stdout, stderr } = await first.finished;
  expect(code).not.toBe(0);
  expect(new Set((stdout + stderr).match(refusal))).toHaveProperty("size", 1);
  expect(rotated(stack)).toBe(count + inFlight + count);
  for (const name of names) expectCurrentSecret(stack, name);
  await stack.up({ flags: ["--expect-no-changes"] });
});

testProcessesOnHttp("apply says that its run was stopped, and names what was in flight once", async () => {
  const stack = await organizationProject(file("0"), { backend: await httpBackend() });
  const clock = clockOf(stack);
  declareWebhooks(stack);
  await stack.up();
  stack.write("organization.yaml", file("1"));
  hold(stack);
  const first = startApply(stack, { env: { ...clock.env, PULUMI_PARALLEL: "128" } });
  await stack.until(isHeld(stack));
  await whileStopped(stack, clock, () => stack.up());
  const result = await resultOf(first);
  // The reason names the first failures.
  expect(readFileSync(result.log ?? "", "utf8")).toMatch(refusal);
  expect(result).toMatchObject({ outcome: "failed", requests: inFlight, rotations: 0, uncertain: 0 });
  expect(result.rotatedAgain).toHaveLength(inFlight);
  expect(new Set(result.rotatedAgain.map(({ name }) => name)).size).toBe(inFlight);
  expect(rotated(stack)).toBe(count + inFlight + count);
  for (const name of names) expectCurrentSecret(stack, `org-${name}`);
});
