import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinRun } from "../../../src/provider/run-notes.js";
import { LostAnswerError, type EngineRun, type Lifecycle, type Values } from "../../../src/resources/lifecycle.js";
import { withOrganizationRules } from "../../../src/resources/rules.js";
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { temporaryFolder } from "../../support/folders.js";
import { ids, messageOf, world, type World } from "../../support/world.js";
import { anyRowId } from "../../support/ids.js";

const crm = (args: object = {}) => ({ crm: { webhookId: ids.webhook, onCreate: "rotate", ...args } });
const rotate = (id: string = ids.webhook) => `POST /v1/webhooks/${id}/rotate-secret`;
const list = "GET /v1/webhooks/";

function secretOf({ engine }: World): string {
  const secret = engine.outputsOf("crm")?.secret;
  if (typeof secret !== "string") throw new Error("no secret in the state");
  return secret;
}

test("a refresh asks once for all webhooks, and each refresh anew", async () => {
  const { engine, journal, forgetRequests } = await world(webhookSecret);
  await engine.up({ ...crm(), other: { webhookId: ids.otherWebhook, onCreate: "rotate" } });
  forgetRequests();
  await engine.refresh();
  await engine.refresh();
  expect(journal()).toEqual([list, list]);
});

test("webhooks that are read one after the other share the answer of the first", async () => {
  const { engine, journal } = await world(webhookSecret);
  const states = [ids.webhook, ids.otherWebhook].map((webhookId) => ({
    ...{ organization: "acme", webhookId, rotationCount: 0, rotationState: "adopted" as const },
  }));
  const ctx = engine.context();
  for (const state of states) expect(await webhookSecret.read(ctx, state)).toEqual(state);
  expect(journal()).toEqual([list]);
});

test("no triggers and an empty map of them are the same, so tidying up rotates nothing", async () => {
  const { engine, journal, forgetRequests } = await world(webhookSecret);
  await engine.up(crm({ triggers: {} }));
  forgetRequests();
  expect(await engine.up(crm())).toEqual({ crm: "same" });
  expect(await engine.up(crm({ triggers: {} }))).toEqual({ crm: "same" });
  expect(journal()).toEqual([]);
});

test("an update that rotates is not said to send nothing", async () => {
  const { engine } = await world(webhookSecret);
  await engine.up(crm({ rotateAfter: "90d" }));
  engine.said();
  await engine.up(crm({ rotateAfter: "30d", triggers: { n: 1 } }));
  expect(engine.said()).toEqual([]);
});

describe("rotateAfter", () => {
  test("rotates once when due; the preview names the date; a refresh says nothing", async () => {
    const { engine, journal, forgetRequests, today } = await world(webhookSecret);
    const program = crm({ rotateAfter: "90d" });
    await engine.up(program);
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2026-04-01" });
    today("2026-03-31");
    expect(engine.preview(program).crm).toEqual({ step: "same", lines: [] });
    forgetRequests();
    today("2026-04-01");
    await engine.refresh();
    expect(engine.preview(program).crm).toEqual({
      step: "update",
      lines: ["~ rotateOn: 2026-04-01 => 2026-06-30"],
    });
    expect(await engine.up(program)).toEqual({ crm: "update" });
    expect(await engine.up(program)).toEqual({ crm: "same" });
    expect(journal()).toEqual([list, rotate()]);
  });

  test("a trigger begins the period anew, and both at once are one rotation", async () => {
    const { engine, journal, forgetRequests, today } = await world(webhookSecret);
    await engine.up(crm({ rotateAfter: "90d" }));
    forgetRequests();
    today("2026-03-01");
    await engine.up(crm({ rotateAfter: "90d", triggers: { n: 1 } }));
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2026-05-30" });
    today("2026-05-30");
    await engine.up(crm({ rotateAfter: "90d", triggers: { n: 2 } }));
    expect(await engine.up(crm({ rotateAfter: "90d", triggers: { n: 2 } }))).toEqual({ crm: "same" });
    expect(journal()).toEqual([rotate(), rotate()]);
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2026-08-28" });
  });

  test("a due rotation that was refused is due still, under the same date", async () => {
    const { engine, faults, journal, forgetRequests, today } = await world(webhookSecret);
    const program = crm({ rotateAfter: "90d" });
    await engine.up(program);
    today("2026-04-01");
    faults({ operation: "rotateWebhookSecret", status: 403, count: 1 });
    await messageOf(engine.up(program));
    forgetRequests();
    today("2026-04-03");
    expect(engine.preview(program).crm?.lines).toEqual(["~ rotateOn: 2026-04-01 => 2026-06-30"]);
    await engine.up(program);
    await engine.up(program);
    expect(journal()).toEqual([rotate()]);
  });
});

describe("a rotation whose answer was lost", () => {
  const warning =
    `warning: WebhookSecret "${ids.webhook}" of acme: it is unknown whether its last rotation was carried out, so its ` +
    "secret is not known for sure: the update rotates it once more.";
  const losses = [
    ["reset after the rotation", { connection: "reset", commit: true }],
    ["reset before the rotation", { connection: "reset" }],
    ["a cut body", { connection: "cut" }],
    ["a 503", { status: 503, commit: true }],
  ] as const;

  test.each(losses)(
    "of a create (%s): half-made, no secret, and the next up rotates once more",
    async (_name, loss) => {
      const { engine, faults, journal } = await world(webhookSecret);
      faults({ operation: "rotateWebhookSecret", count: 1, ...loss });
      expect(await messageOf(engine.up(crm()))).toContain("Whether the secret was rotated is unknown");
      expect(engine.outputsOf("crm")).toEqual({
        organization: "acme",
        webhookId: ids.webhook,
        rotationCount: 0,
        requestId: anyRowId,
        rotationState: "uncertain",
      });
      expect(journal()).toEqual([rotate()]);
      expect(await engine.up(crm())).toEqual({ crm: "update" });
      expect(await engine.up(crm())).toEqual({ crm: "same" });
      expect(journal()).toEqual([rotate()]);
      expect(engine.outputsOf("crm")).toMatchObject({ rotationCount: 1, rotationState: "rotated" });
    },
  );

  test.each([
    ["then an up", false],
    ["then a refresh and an up", true],
  ])("of an update, %s: rotated once more, the reason said, the previous secret right", async (_name, refreshes) => {
    const the = await world(webhookSecret);
    const { engine } = the;
    await engine.up(crm());
    const first = secretOf(the);
    the.faults({ operation: "rotateWebhookSecret", connection: "reset", commit: true, count: 1 });
    await messageOf(engine.up(crm({ triggers: { n: 1 } })));
    expect(engine.outputsOf("crm")).toMatchObject({ secret: first, rotationState: "uncertain", rotationCount: 1 });
    if (refreshes) await engine.refresh();
    the.journal();
    engine.said();
    expect(engine.preview(crm({ triggers: { n: 1 } })).crm?.step).toBe("update");
    expect(engine.said()).toEqual([warning]);
    expect(await engine.up(crm({ triggers: { n: 1 } }))).toEqual({ crm: "update" });
    expect(await engine.up(crm({ triggers: { n: 1 } }))).toEqual({ crm: "same" });
    expect(the.journal()).toEqual([rotate()]);
    expect(engine.outputsOf("crm")).toMatchObject({ previousSecret: first, rotationCount: 2 });
  });

  test("keeps the secret that the same program corrects, which becomes the previous one", async () => {
    const { engine, faults } = await world(webhookSecret);
    await engine.up(crm({ onCreate: "adopt", initialSecret: "a mistake" }));
    const corrected = crm({ onCreate: "adopt", initialSecret: "right", triggers: { n: 1 } });
    faults({ operation: "rotateWebhookSecret", connection: "reset", count: 1 });
    await messageOf(engine.up(corrected));
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "right", rotationState: "uncertain" });
    await engine.up(corrected);
    expect(engine.outputsOf("crm")).toMatchObject({ previousSecret: "right", rotationState: "rotated" });
  });

  /** What the engine calls again in the same run where the program has an error hook. */
  const lifecycle = withOrganizationRules(webhookSecret as unknown as Lifecycle);
  const refusal =
    `WebhookSecret "${ids.webhook}" of acme: a rotation earlier in this run may have been carried out, ` +
    "so nothing was sent. Run `pulumi up` again: it rotates once more.";
  const lost = { operation: "rotateWebhookSecret", connection: "reset", commit: true } as const;

  /** The error of a verb whose rotation may have been carried out. */
  const lostBy = async (verb: Promise<unknown>): Promise<LostAnswerError> => {
    const error: unknown = await verb.catch((reason: unknown) => reason);
    if (!(error instanceof LostAnswerError)) throw new Error("nothing was lost");
    return error;
  };
  test("is not sent again in this run, whether a create or an update asks again, and the state stays uncertain", async () => {
    const the = await world(webhookSecret);
    await the.engine.up(crm());
    const state = structuredClone(the.engine.outputsOf("crm")) as Values & { organization: string };
    the.faults({ ...lost, count: 2 });
    the.journal();
    const ctx = the.engine.context();
    const { inputs } = lifecycle.check(ctx, {}, crm({ triggers: { n: 1 } }).crm);
    expect(await messageOf(lifecycle.update(ctx, state, inputs))).toContain(
      "Whether the secret was rotated is unknown",
    );
    for (const again of [() => lifecycle.update(ctx, state, inputs), () => lifecycle.create(ctx, inputs)]) {
      expect(await lostBy(again())).toMatchObject({ message: refusal, state: { rotationState: "uncertain" } });
    }
    expect(the.journal()).toEqual([rotate()]);
    // Other webhooks and later runs are not concerned.
    the.faults();
    await lifecycle.create(ctx, lifecycle.check(ctx, {}, { webhookId: ids.otherWebhook, onCreate: "rotate" }).inputs);
    await lifecycle.update(the.engine.context(), state, inputs);
    expect(the.journal()).toEqual([rotate(ids.otherWebhook), rotate()]);
  });

  test("is not sent again by another provider of the run, under another name of the organization; no note has a secret", async () => {
    const the = await world(webhookSecret);
    the.faults({ ...lost, count: 2 });
    const notes = new Set<string>();
    const run = (): EngineRun => ({
      note: (text) => void notes.add(text),
      notes: () => ({ providers: notes, program: new Set() }),
    });
    const [here, there] = ["acme", "other"].map((organization) => {
      return { ...the.engine.context(), organization, address: "https://api.example.com", run: run() };
    });
    if (!here || !there) throw new Error("no contexts");
    const other = { webhookId: ids.otherWebhook, onCreate: "rotate" };
    await messageOf(lifecycle.create(here, lifecycle.check(here, {}, other).inputs));
    const initial = crm({ onCreate: "rotate", initialSecret: "known-so-far" }).crm;
    await lostBy(lifecycle.create(here, lifecycle.check(here, {}, initial).inputs));
    const { inputs } = lifecycle.check(there, {}, { webhookId: ids.webhook.toUpperCase(), onCreate: "rotate" });
    const again = await lostBy(lifecycle.create(there, inputs));
    expect(again.message).toContain("so nothing was sent");
    expect(the.journal()).toEqual([rotate(ids.otherWebhook), rotate()]);
    expect([...notes].join()).not.toContain("known-so-far");
  });

  test("is not sent again where notes cannot be written: this process remembers", async () => {
    const the = await world(webhookSecret);
    the.faults({ ...lost, count: 1 });
    const unusable = join(temporaryFolder(), "file");
    writeFileSync(unusable, "");
    const ctx = { ...the.engine.context(), run: joinRun(4001, "provider", unusable) };
    expect(ctx.run.notes().failure).toBeDefined();
    const { inputs } = lifecycle.check(ctx, {}, crm().crm);
    await messageOf(lifecycle.create(ctx, inputs));
    expect(await messageOf(lifecycle.create(ctx, inputs))).toBe(refusal);
    expect(the.journal()).toEqual([rotate()]);
  });

  test.each([403, 429])("refused with %i may be asked for again in the same run", async (status) => {
    const the = await world(webhookSecret);
    the.faults({ operation: "rotateWebhookSecret", status, count: 100 });
    const ctx = the.engine.context();
    const { inputs } = lifecycle.check(ctx, {}, crm().crm);
    await messageOf(lifecycle.create(ctx, inputs));
    the.faults();
    expect(await lifecycle.create(ctx, inputs)).toMatchObject({ rotationState: "rotated" });
  });
});
