/**
 * The report and the provider agree: what a run sends is on the list of its preview, and without a hidden value the list has nothing
 * that is not sent. Programs, states, dates, lost answers and doubts are generated.
 */
import { fits, plannedRequest, isPlanned, type PlannedRequest } from "../../../../src/client/planned-request";
import type { Api } from "../../../../src/client/api";
import { describe as describeRun } from "../../../../src/cli/report/report";
import type { Step } from "../../../../src/cli/pulumi/steps";
import { resources, type ResourceType } from "../../../../src/resources";
import { secretText } from "../../../../src/values/engine";
import { Engine, Refused, type Program } from "../../../support/played-engine";
import fc from "../../../support/properties";

type Args = Record<string, unknown>;

/** An argument that a declaration may leave out. */
const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const period = maybe("7d", "30d");
const triggers = maybe<object>({ round: "0" }, { round: "1" });
const onCreate = fc.constantFrom("overwrite", "adopt");

/** What a program may write of each resource: the compiler names one that is missing. */
const declared: Record<ResourceType, fc.Arbitrary<Args>> = {
  RetentionPolicy: fc.record({
    resource: fc.constantFrom("recordings", "conversations"),
    onCreate,
    retentionDays: fc.constantFrom(30, 90),
    enabled: maybe(true, false),
    allowShortening: maybe({ from: 90, to: 30 }),
    onDelete: maybe<unknown>("retain", "disable", { retentionDays: 90, enabled: true }),
    reassertAfter: period,
  }),
  NetworkPolicy: fc.record({
    networkPolicyId: fc.constantFrom("office", "lab"),
    onCreate,
    name: maybe("Office", "HQ"),
    sourceCidr: maybe("203.0.113.0/24", "0.0.0.0/0"),
    onDelete: maybe<unknown>("retain", { sourceCidr: "203.0.113.0/25" }),
    reassertAfter: period,
  }),
  TrunkOutboundAuth: fc.record({
    trunkId: fc.constantFrom("a", "b"),
    cleared: fc.boolean(),
    triggers,
    onDelete: maybe("retain", "clear"),
    reassertAfter: period,
  }),
  WebhookSecret: fc.record({
    webhookId: fc.constantFrom("crm", "billing"),
    onCreate: fc.constantFrom("rotate", "adopt"),
    triggers,
    rotateAfter: period,
    initialSecret: maybe("known"),
  }),
};

const programs = (type: ResourceType): fc.Arbitrary<Program> =>
  fc
    .dictionary(fc.constantFrom("one", "two", "three"), declared[type], { maxKeys: 3, noNullPrototype: true })
    .filter((program) => {
      const ids = Object.values(program).map((args) => args[resources[type].lifecycle.identity]);
      return new Set(ids).size === ids.length;
    })
    .map((program) => JSON.parse(JSON.stringify(program)) as Program);

/** The n-th request of a run is answered, refused, or loses its answer. */
const answers = fc.array(fc.constantFrom("answered", "answered", "lost"), { maxLength: 3 });

interface Case {
  readonly before: Program;
  readonly after: Program;
  readonly answers: readonly string[];
  readonly days: number;
  /** Resources that the engine replaces. */
  readonly replace: readonly string[];
  readonly replaceOnChanges: readonly string[];
  /** Arguments whose values the preview hides. */
  readonly secret: readonly string[];
}

/** All arguments, but for a webhook's id: an update that replaces such a webhook is refused as not planned. */
const hideable = (type: ResourceType) => Object.keys(resources[type].args.shape).filter((name) => name !== "webhookId");

const cases = (type: ResourceType): fc.Arbitrary<Case> =>
  fc.record({
    before: programs(type),
    after: programs(type),
    answers,
    days: fc.constantFrom(0, 8, 40),
    replace: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray(["one", "two"])),
    replaceOnChanges: fc.subarray(["one", "two", "three"]),
    secret: fc.oneof(fc.constant([]), fc.subarray(hideable(type))),
  });

const hidden = (values: Args, secret: readonly string[]): Args =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, secret.includes(key) ? secretText : value]));

/** As a report gets them: as JSON. */
function withHidden(given: readonly Step[], secret: readonly string[]): Step[] {
  const steps = JSON.parse(JSON.stringify(given)) as readonly Step[];
  return steps.map((step) => {
    const [before, after] = [step.before, step.after].map(
      (state) => state && { ...state, inputs: hidden(state.inputs, secret), outputs: hidden(state.outputs, secret) },
    );
    return { ...step, before, after };
  });
}

/** The engine after a first program, whose answers may be lost. */
async function engineAfter(type: ResourceType, { before, answers: fates, days }: Case): Promise<Engine> {
  const left = [...fates];
  const send: Api["send"] = () =>
    left.shift() === "lost" ? Promise.reject(new Error("reset")) : Promise.resolve({ signing_secret: "a secret" });
  let now = new Date("2026-01-01T12:00:00Z");
  const around = { organization: "acme", address: "https://a.example.com", api: { send }, now: () => now };
  const engine = new Engine(resources[type].lifecycle, around);
  await engine.up(before).catch(() => undefined);
  now = new Date(now.getTime() + days * 86_400_000);
  return engine;
}

/** What an update with this program sends, and what a list refuses of it. */
async function sentBy(engine: Engine, { after, ...replaced }: Case, requests: readonly PlannedRequest[]) {
  const list = requests;
  const [sent, refused]: [PlannedRequest[], PlannedRequest[]] = [[], []];
  const send: Api["send"] = (operation, parameters, body) => {
    const owner = { organization: "acme", address: "https://a.example.com" };
    // As over the wire: a list of the played engine is of another realm, and equals no list of the report.
    const wire = body && (JSON.parse(JSON.stringify(body)) as object);
    const request = plannedRequest(operation, parameters, wire, owner);
    (isPlanned(list, request) ? sent : refused).push(request);
    return Promise.resolve({ signing_secret: "another secret" });
  };
  engine.around = { ...engine.around, api: { send } };
  const error = await engine.up(after, replaced).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { sent, refused, error };
}

const types = Object.keys(resources) as ResourceType[];

/** What chance has found once. */
const due = { webhookId: "crm", rotateAfter: "7d" };
const none = { answers: [], replace: [], replaceOnChanges: [], secret: [] };
const found: Partial<Record<ResourceType, readonly Case[]>> = {
  // It is hidden whether a webhook that is replaced is due.
  WebhookSecret: [
    {
      ...none,
      before: { three: { ...due, onCreate: "rotate" } },
      after: { three: { ...due, onCreate: "adopt" } },
      days: 40,
      replaceOnChanges: ["three"],
      secret: ["rotateAfter"],
    },
  ],
};

test.each(types)(
  "what an update of a %s sends is on the list of its preview, and the list has nothing else",
  async (type) => {
    let updates = 0;
    await fc.assert(
      fc.asyncProperty(cases(type), async (one) => {
        const engine = await engineAfter(type, one);
        const steps = await Promise.resolve()
          .then(() => engine.steps(one.after, one))
          .catch((error: unknown) => {
            if (!(error instanceof Refused)) throw error;
            return undefined;
          });
        // The preview fails, and nothing is sent.
        if (steps === undefined) return;
        const run = { complete: true, errors: [], warnings: [], violations: [], unknownEvents: 0 } as const;
        const seen = withHidden(steps, one.secret);
        const { requests, complete } = await describeRun({ ...run, steps: seen, organizationFile: undefined });
        const { sent, refused, error } = await sentBy(engine, one, requests);
        expect(refused).toEqual([]);
        if (one.secret.length > 0 || !complete || error !== undefined) return;
        updates++;
        const unsent = requests.filter((planned) => !sent.some((request) => fits(planned, request)));
        expect(unsent).toEqual([]);
      }),
      { numRuns: 700, examples: (found[type] ?? []).map((one): [Case] => [one]) },
    );
    expect(updates).toBeGreaterThan(70);
  },
);
