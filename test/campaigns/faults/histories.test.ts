/** Random faults in random order, with the real engine: one history here, as many as time allows in a soak. */
import { hash } from "node:crypto";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import type { Fault } from "../../../src/control-plane/index";
import { operations, type OperationName } from "../../../src/contract/index";
import type { RunningCommand } from "../../support/engine/command";
import { ids, organization } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { locksOf, processesOf, rotationsOf } from "../../support/faults/aftermath";
import { strike, strikes, unlock } from "../../support/faults/deaths";
import { temporaryFolder } from "../../support/folders";
import { property } from "../../support/resources/property";

/** What the program declares. */
interface Declared {
  readonly days: number;
  readonly name: string;
  /** Triggers of the trunk and of each webhook: another number causes another request. */
  readonly carrier: number;
  readonly crm: number;
  readonly billing: number;
}

/** What is interrupted during an `up`, and how. */
const interruptions = [...strikes.filter((each) => each !== "machine"), "server"] as const;

interface Interruption {
  readonly of: (typeof interruptions)[number];
  /** The interruption comes after this many requests. */
  readonly after: number;
}

interface Event {
  readonly edit: Declared;
  readonly faults: readonly Fault[];
  readonly interruption?: Interruption | undefined;
}

const anyEdit: fc.Arbitrary<Declared> = fc.record({
  days: fc.integer({ min: 1, max: 400 }),
  name: fc.constantFrom("Office", "Home", "Büro \u{1f3e2}"),
  carrier: fc.nat(3),
  crm: fc.nat(3),
  billing: fc.nat(3),
});

const operation = fc.constantFrom(
  ...(Object.keys(operations) as OperationName[]).filter((name) => operations[name].method !== "GET"),
  ...(["rotateWebhookSecret", "*"] as const),
);
const retryAfter = fc.nat(1);

const effect: fc.Arbitrary<Omit<Fault, "operation">> = fc.oneof(
  fc.record({ connection: fc.constantFrom("reset"), commit: fc.boolean() }),
  fc.record({ connection: fc.constantFrom("cut") }),
  fc.record({
    status: fc.constantFrom(500, 502, 503, 504),
    commit: fc.boolean(),
  }),
  fc.record({ status: fc.constantFrom(307, 400, 401, 403, 404, 409, 422) }),
  fc.record({ status: fc.constantFrom(429), retryAfter }),
);

const quickFault = fc
  .tuple(operation, effect, fc.integer({ min: 1, max: 6 }))
  .map(([name, what, count]) => ({ ...what, operation: name, count }));
/** Takes 20 s, the client's time limit for an answer. */
const hang = fc
  .boolean()
  .map((commit): Fault => ({ operation: "rotateWebhookSecret", connection: "hang", commit, count: 1 }));
const anyFault = fc.oneof({ weight: 30, arbitrary: quickFault }, { weight: 1, arbitrary: hang });

const anyInterruption: fc.Arbitrary<Interruption> = fc.record({
  of: fc.constantFrom(...interruptions),
  after: fc.nat(4),
});

const anyEvent: fc.Arbitrary<Event> = fc.record({
  edit: anyEdit,
  faults: fc.array(anyFault, { maxLength: 5 }),
  interruption: fc.option(anyInterruption, { nil: undefined }),
});

/** Two `up`s with faults. Each is followed by one without. */
const anyEvents = fc.array(anyEvent, { minLength: 2, maxLength: 2 });

/** @param longer earlier day counts of recordings that are longer than the current one */
const programOf = ({ days, name, carrier, crm, billing }: Declared, longer: readonly number[]): string => `
  const allowShortening = ${JSON.stringify(longer.map((from) => ({ from, to: days })))};
  new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: ${days}, allowShortening });
  new NetworkPolicy("office", { networkPolicyId: "${ids.office}", onCreate: "overwrite", name: ${JSON.stringify(name)} });
  new TrunkOutboundAuth("carrier", { trunkId: "${ids.carrierA}", cleared: true, triggers: { n: "${carrier}" } });
  new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { n: "${crm}" } });
  new WebhookSecret("billing", { webhookId: "${ids.billing}", onCreate: "rotate", triggers: { n: "${billing}" } });`;

/** One event: an `up` with faults and an interruption, what must hold after it, and an `up` without them that repairs the rest. */
async function live(stack: Project, { edit, faults, interruption }: Event, earlier: readonly number[]): Promise<void> {
  const { organization } = stack;
  const longer = new Set(earlier.filter((days) => days > edit.days));
  stack.program(programOf(edit, [...longer]));
  // An interruption has to hit a request, so each is held until then.
  organization.control.setFaults(
    interruption ? [...faults, {}].map((fault) => ({ ...fault, hold: "before" })) : [...faults],
  );
  organization.control.clearJournal();
  const before = rotationsOf(stack);
  const up = stack.startUp({ flags: ["--continue-on-error"] });
  const struck = interruption && (await interrupt(stack, up, interruption)) ? interruption.of : undefined;
  while (interruption && (await isHeld(stack, up))) organization.control.release();
  const { code, stdout, stderr } = await up.finished;
  expect(stdout + stderr).not.toMatch(/vp_dev_\w/);

  await stack.until(() => processesOf(stack).length === 0);
  // A request of a killed process may still be held. It belongs to this update, not to the next one.
  organization.control.release();
  await setImmediate();
  // An engine that is killed before it has made its lock leaves none.
  expect(locksOf(stack).length).toBeLessThanOrEqual(struck === "SIGKILL" ? 1 : 0);
  const between = rotationsOf(stack);
  expectOneEach(before, between);
  if (code === 0) expectDone(stack, edit);
  // A secret that is not current is marked uncertain, unless the provider was killed before it could mark it.
  if (!["SIGKILL", "SIGINT twice", "provider"].includes(struck ?? "")) {
    for (const { state, isCurrent } of webhooksOf(stack)) if (!isCurrent) expect(state).toBe("uncertain");
  }

  // What docs/operate/when-something-went-wrong.md says, whatever has happened: `cancel` if there is a lock, then `up` again.
  organization.control.setFaults([]);
  await unlock(stack);
  const next = await stack.startUp().finished;
  if (next.code !== 0) throw new Error(`the next up failed:\n${next.stdout}\n${next.stderr}`);
  expect(next.stdout + next.stderr).not.toMatch(/vp_dev_\w/);
  expectOneEach(between, rotationsOf(stack));
  expectDone(stack, edit);
}

/** Resolves to whether a request is held: to false once the command has ended. */
async function isHeld({ organization }: Project, up: RunningCommand): Promise<boolean> {
  const held = organization.control.held().then(
    () => true,
    () => false,
  );
  return Promise.race([held, up.finished.then(() => false)]);
}

/** @returns false if there was nothing to interrupt, because the command had ended or the process was not there */
async function interrupt(stack: Project, up: RunningCommand, { of, after }: Interruption): Promise<boolean> {
  for (let seen = 0; seen < after && (await isHeld(stack, up)); seen++) stack.organization.control.release();
  if (!(await isHeld(stack, up))) return false;
  if (of !== "server") return strike(stack, up, of);
  await stack.organization.restart();
  return true;
}

type Rotations = ReturnType<typeof rotationsOf>;

/** No webhook was rotated more than once in between. */
function expectOneEach(before: Rotations, after: Rotations): void {
  for (const [id, count] of Object.entries(after)) expect(count - (before[id] ?? 0)).toBeLessThanOrEqual(1);
}

/** After an `up` that succeeded, the server has what the program declares. */
function expectDone(stack: Project, { days, name }: Declared): void {
  const { retentionPolicies, networkPolicies, trunks } = stack.organization.control.state();
  expect(retentionPolicies).toMatchObject([{ resource: "recordings", retention_days: days }]);
  expect(networkPolicies.find(({ id }) => id === ids.office)).toMatchObject({ name });
  expect(trunks.find(({ id }) => id === ids.carrierA)).toMatchObject({ outbound_auth: "cleared" });
  expect(webhooksOf(stack)).toEqual(Array(2).fill({ state: "rotated", isCurrent: true }));
}

/** The webhooks in the state, and whether the server signs with the secret that is there. */
function webhooksOf(stack: Project): { readonly state: unknown; readonly isCurrent: boolean }[] {
  const { webhooks } = stack.organization.control.state();
  const inState = stack.inClear().flatMap(({ outputs }) => (outputs?.webhookId === undefined ? [] : [outputs]));
  return inState.map(({ webhookId, secret = "", rotationState }) => {
    const inUse = webhooks.find(({ id }) => id === webhookId)?.signing_secret_sha256;
    return { state: rotationState, isCurrent: hash("sha256", String(secret)) === inUse };
  });
}

property(
  "after any fault the state is correct and valid, no process is left, and the next up repairs the rest",
  anyEvents,
  async (events) => {
    const file = join(temporaryFolder(), "control-plane.json");
    const stack = await project({ organization: await organization({ file }) });
    const days = events.map(({ edit }) => edit.days);
    for (const [index, event] of events.entries()) await live(stack, event, days.slice(0, index));

    // Another up changes nothing and sends nothing.
    const { control } = stack.organization;
    control.clearJournal();
    const { code, stdout } = await stack.startUp().finished;
    expect({ code, journal: control.journal() }).toEqual({ code: 0, journal: [] });
    expect(stdout).toContain("6 unchanged");
  },
  1,
  { endOnFailure: true, turns: 8 },
);
