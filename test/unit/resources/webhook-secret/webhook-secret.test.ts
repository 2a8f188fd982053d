/** What a WebhookSecret says and stores. Which update rotates, and what is known of the secret after it, is in the rotation model. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinRun } from "../../../../src/provider/run-notes.js";
import { LostAnswerError } from "../../../../src/lifecycle/lost-answer.js";
import { singleProcessRun } from "../../../../src/lifecycle/context.js";
import type { Lifecycle } from "../../../../src/lifecycle/lifecycle.js";
import { withRules } from "../../../../src/resources/definition.js";
import type { Values } from "../../../../src/values/any.js";
import { webhookSecretLifecycle } from "../../../../src/resources/webhook-secret/lifecycle.js";
import { temporaryFolder } from "../../../support/folders.js";
import { anyRequestId } from "../../../support/ids.js";
import { answer, rawServer } from "../../../support/client/raw-server.js";
import { ids, messageOf, world } from "../../../support/world.js";

const crm = (args: object = {}) => ({ crm: { webhookId: ids.webhook, onCreate: "rotate", ...args } });
const rotate = (id: string = ids.webhook) => `POST /v1/webhooks/${id}/rotate-secret`;
const list = "GET /v1/webhooks/";
const said = (text: string) => `warning: WebhookSecret "${ids.webhook}" of acme: ${text}`;

test("a create rotates once, a changed trigger once more in place, and nothing else: no refresh, no destroy", async () => {
  const { engine, journal, today } = await world(webhookSecretLifecycle);
  await engine.up(crm({ triggers: { quarter: "2026-Q1" } }));
  const first = engine.outputsOf("crm");
  expect(first).toEqual({
    requestId: anyRequestId,
    organization: "acme",
    webhookId: ids.webhook,
    triggers: { quarter: "2026-Q1" },
    secret: expect.stringMatching(/^[\w-]{43}$/) as string,
    data: expect.objectContaining({ webhook: expect.objectContaining({ id: ids.webhook }) as object }) as object,
    rotatedAt: "2026-01-01T12:00:00.000Z",
    rotationCount: 1,
    rotationState: "rotated",
  });
  today("2026-04-01");
  const program = crm({ triggers: { quarter: "2026-Q2" } });
  expect(engine.preview(program).crm).toEqual({
    step: "update",
    lines: ['~ triggers: {"quarter":"2026-Q1"} => {"quarter":"2026-Q2"}'],
  });
  await engine.up(program);
  expect(engine.outputsOf("crm")).toMatchObject({
    previousSecret: first?.secret,
    rotatedAt: "2026-04-01T12:00:00.000Z",
    rotationCount: 2,
    triggers: { quarter: "2026-Q2" },
  });
  expect(engine.outputsOf("crm")?.secret).not.toBe(first?.secret);
  await engine.refresh();
  expect(await engine.up(program)).toEqual({ crm: "same" });
  expect(engine.said()).toEqual([]);
  await engine.destroy();
  expect(engine.said()).toEqual([
    said("keeps using its secret, of which the only stored copy leaves the state. Nothing was sent."),
  ]);
  expect(journal()).toEqual([rotate(), rotate(), list]);
});

test("a rotation that answers with the secret of before is said, does not change the previous one, and is not repeated", async () => {
  const { engine, talkTo } = await world(webhookSecretLifecycle);
  const answered = (secret: string) => answer(200, JSON.stringify({ success: true, data: { signing_secret: secret } }));
  const server = await rawServer([answered("whs_first"), answered("whs_second"), answered("whs_second")]);
  talkTo(server.baseUrl);
  for (const n of [1, 2]) await engine.up(crm({ triggers: { n } }));
  expect(engine.said()).toEqual([]);
  await engine.up(crm({ triggers: { n: 3 } }));
  expect(engine.said()).toEqual([
    said(
      "the answer to its rotation has the secret that was known before, so the server may not have rotated it. Change triggers to rotate it again.",
    ),
  ]);
  expect(engine.outputsOf("crm")).toMatchObject({
    ...{ secret: "whs_second", previousSecret: "whs_first", rotationState: "unchanged", rotationCount: 3 },
  });
  expect(await engine.up(crm({ triggers: { n: 3 } }))).toEqual({ crm: "same" });
});

test("options are stored without an update, and that is said, as no preview shows it, unless the update rotates", async () => {
  const { engine, journal, forgetRequests } = await world(webhookSecretLifecycle);
  await engine.up(crm());
  forgetRequests();
  const options = { secretPath: "a.b", rotateAfter: "90d", onCreate: "adopt" };
  expect(await engine.up(crm(options))).toEqual({ crm: "same" });
  const stored = (names: string) =>
    `info: WebhookSecret "${ids.webhook}" of acme: ${names} changed; that is stored and sends nothing.`;
  expect(engine.said()).toEqual([stored("secretPath, rotateAfter, onCreate")]);
  expect(engine.inputsOf("crm")).toMatchObject(options);
  expect(await engine.up(crm({ ...options, rotateAfter: "30d" }))).toEqual({ crm: "same" });
  expect(engine.said()).toEqual([stored("rotateAfter")]);
  expect(journal()).toEqual([]);
  await engine.up(crm({ triggers: { n: 1 } }));
  expect(engine.said()).toEqual([]);
});

describe("of another organization", () => {
  const [before, now] = ["https://old.example.com", "https://new.example.com"];

  test("it is refused, and the error says how the name can stay, unless it is another webhook", async () => {
    const { engine, journal, forgetRequests } = await world(webhookSecretLifecycle, before);
    await engine.up(crm());
    forgetRequests();
    engine.around = { ...engine.around, organization: now };
    const expected =
      "the webhook belongs to the organization https://old.example.com, and this provider talks to " +
      "https://new.example.com. If only the address changed, keep the name with `pulumi config set voiceplane:organization " +
      "https://old.example.com`. If another organization is meant, declare a new resource with a new name and remove this one [organization-changed]";
    expect(() => engine.preview(crm())).toThrow(expected);
    expect(await messageOf(engine.up(crm()))).toBe(expected);
    expect(journal()).toEqual([]);
    await engine.up(crm({ webhookId: ids.otherWebhook }));
    expect(journal()).toEqual([rotate(ids.otherWebhook)]);
  });
});

describe("a rotation whose answer was lost", () => {
  const lost = { operation: "rotateWebhookSecret", connection: "reset", commit: true } as const;

  test("is half-made, has no secret, and the next up says why it rotates once more", async () => {
    const { engine, faults, journal } = await world(webhookSecretLifecycle);
    faults({ ...lost, count: 1 });
    expect(await messageOf(engine.up(crm()))).toContain("Whether the secret was rotated is unknown");
    expect(engine.outputsOf("crm")).toEqual({
      organization: "acme",
      webhookId: ids.webhook,
      rotationCount: 0,
      requestId: anyRequestId,
      rotationState: "uncertain",
    });
    await engine.refresh();
    engine.said();
    expect(engine.preview(crm()).crm?.step).toBe("update");
    expect(engine.said()).toEqual([
      said(
        "it is unknown whether its last rotation was carried out, so its secret is not known for sure: the update rotates it once more.",
      ),
    ]);
    await engine.up(crm());
    expect(await engine.up(crm())).toEqual({ crm: "same" });
    expect(journal()).toEqual([rotate(), rotate()]);
  });

  test("ends without a request where initialSecret is another one than before; otherwise, it is rotated, also where that update asked for another rotation", async () => {
    const { engine, faults, journal } = await world(webhookSecretLifecycle);
    const program = (n: number, initialSecret: string) => crm({ onCreate: "adopt", triggers: { n }, initialSecret });
    await engine.up(program(1, "canary-a"));
    faults({ ...lost, count: 1 });
    await messageOf(engine.up(program(2, "canary-a")));
    expect([engine.said(), journal()]).toEqual([[], [rotate()]]);
    expect(engine.preview(program(2, "canary-b")).crm?.step).toBe("update");
    expect(engine.said()).toEqual([
      said(
        "it is unknown whether its last rotation was carried out: the update takes the initialSecret that you gave, and sends nothing.",
      ),
    ]);
    await engine.up(program(2, "canary-b"));
    expect(engine.outputsOf("crm")).toEqual({
      ...{ organization: "acme", webhookId: ids.webhook, requestId: anyRequestId, triggers: { n: 2 } },
      ...{ secret: "canary-b", previousSecret: "canary-a", rotationCount: 0, rotationState: "adopted" },
    });
    expect(await engine.up(program(2, "canary-b"))).toEqual({ crm: "same" });
    expect(journal()).toEqual([]);
    for (const [inDoubt, after] of [
      [program(3, "canary-b"), program(3, "canary-b")],
      [program(4, "canary-c"), program(4, "canary-c")],
      [program(5, "canary-c"), program(6, "canary-d")],
    ] as const) {
      faults({ ...lost, count: 1 });
      await messageOf(engine.up(inDoubt));
      await engine.up(after);
      expect([journal(), engine.outputsOf("crm")?.rotationState]).toEqual([[rotate(), rotate()], "rotated"]);
    }
  });

  /** What the engine calls again in the same run where the program has an error hook. */
  const lifecycle = withRules(webhookSecretLifecycle as unknown as Lifecycle);
  const refusal =
    `WebhookSecret "${ids.webhook}" of acme: a rotation earlier in this run may have been carried out, ` +
    "so nothing was sent. Run `pulumi up` again: it rotates once more. [rotation-unknown]";

  /** The error of a verb whose rotation may have been carried out. */
  const lostBy = async (verb: Promise<unknown>): Promise<LostAnswerError> => {
    const error: unknown = await verb.catch((reason: unknown) => reason);
    if (!(error instanceof LostAnswerError)) throw new Error("nothing was lost");
    return error;
  };

  test("is not sent again in this run, whether a create or an update asks again, and the state stays uncertain", async () => {
    const { engine, faults, journal } = await world(webhookSecretLifecycle);
    await engine.up(crm());
    const state = structuredClone(engine.outputsOf("crm")) as Values & { organization: string };
    faults({ ...lost, count: 2 });
    journal();
    const ctx = engine.context();
    const { inputs } = lifecycle.check(ctx, {}, crm({ triggers: { n: 1 } }).crm);
    await lostBy(lifecycle.update(ctx, state, inputs));
    for (const again of [() => lifecycle.update(ctx, state, inputs), () => lifecycle.create(ctx, inputs)]) {
      expect(await lostBy(again())).toMatchObject({ message: refusal, state: { rotationState: "uncertain" } });
    }
    expect(journal()).toEqual([rotate()]);
    // Other webhooks and later runs are not concerned.
    faults();
    await lifecycle.create(ctx, lifecycle.check(ctx, {}, crm({ webhookId: ids.otherWebhook }).crm).inputs);
    await lifecycle.update(engine.context(), state, inputs);
    expect(journal()).toEqual([rotate(ids.otherWebhook), rotate()]);
  });

  test("is not sent again by another provider of the run, under another name of the organization; no note has a secret", async () => {
    const { engine, faults, journal } = await world(webhookSecretLifecycle);
    faults({ ...lost, count: 1 });
    const shared = singleProcessRun();
    const note = jest.spyOn(shared, "note");
    const run = () => ({ ...shared });
    const around = { ...engine.context(), address: "https://api.example.com" };
    const [here, there] = [
      { ...around, run: run() },
      { ...around, organization: "other", run: run() },
    ];
    const initial = crm({ initialSecret: "known-so-far" }).crm;
    await lostBy(lifecycle.create(here, lifecycle.check(here, {}, initial).inputs));
    const { inputs } = lifecycle.check(there, {}, crm({ webhookId: ids.webhook.toUpperCase() }).crm);
    expect((await lostBy(lifecycle.create(there, inputs))).message).toContain("so nothing was sent");
    expect(journal()).toEqual([rotate()]);
    expect(note).toHaveBeenCalled();
    expect(JSON.stringify(note.mock.calls)).not.toContain("known-so-far");
  });

  test("is not sent again where notes cannot be written: this process remembers", async () => {
    const { engine, faults, journal } = await world(webhookSecretLifecycle);
    faults({ ...lost, count: 1 });
    const unusable = join(temporaryFolder(), "file");
    writeFileSync(unusable, "");
    const ctx = { ...engine.context(), run: joinRun(4001, "provider", unusable) };
    expect(ctx.run.notes().whyIncomplete).toBeDefined();
    const { inputs } = lifecycle.check(ctx, {}, crm().crm);
    await messageOf(lifecycle.create(ctx, inputs));
    expect(await messageOf(lifecycle.create(ctx, inputs))).toBe(refusal);
    expect(journal()).toEqual([rotate()]);
  });

  test("is another thing than one that was refused, which may be asked for again in the same run", async () => {
    const { engine, faults } = await world(webhookSecretLifecycle);
    faults({ operation: "rotateWebhookSecret", status: 403, count: 1 });
    const ctx = engine.context();
    const { inputs } = lifecycle.check(ctx, {}, crm().crm);
    await messageOf(lifecycle.create(ctx, inputs));
    expect(await lifecycle.create(ctx, inputs)).toMatchObject({ rotationState: "rotated" });
  });
});
