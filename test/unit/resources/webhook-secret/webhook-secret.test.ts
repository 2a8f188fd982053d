/** What a WebhookSecret says and stores. Which update rotates, and what is known of the secret after it, is in the rotation model. */
import { LostAnswerError } from "../../../../src/lifecycle/lost-answer.js";
import type { Lifecycle } from "../../../../src/lifecycle/lifecycle.js";
import { withOwnership } from "../../../../src/lifecycle/ownership.js";
import type { Values } from "../../../../src/values/any.js";
import { webhookSecretLifecycle } from "../../../../src/resources/webhook-secret/lifecycle.js";
import { anyRequestId } from "../../../support/ids.js";
import { answer, rawServer } from "../../../support/client/raw-server.js";
import { ids, messageOf, world } from "../../../support/world.js";

const crm = (args: object = {}) => ({ crm: { webhookId: ids.webhook, onCreate: "rotate", ...args } });
const rotate = (id: string = ids.webhook) => `POST /v1/webhooks/${id}/rotate-secret`;
const list = "GET /v1/webhooks/";
/** By the real clock. */
const anInstant = expect.stringMatching(new RegExp(`^${new Date().toISOString().slice(0, 10)}T`)) as string;
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
    rotatedAt: anInstant,
    rotationCount: 1,
    rotationState: "rotated",
  });
  today("2026-04-01");
  const program = crm({ triggers: { quarter: "2026-Q2" } });
  expect(engine.preview(program).crm).toEqual({ step: "update" });
  await engine.up(program);
  expect(engine.outputsOf("crm")).toMatchObject({
    previousSecret: first?.secret,
    rotatedAt: anInstant,
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

test("a rotation that answers with the secret of before does not change the previous one", async () => {
  const { engine, talkTo } = await world(webhookSecretLifecycle);
  const answered = (secret: string) => answer(200, JSON.stringify({ success: true, data: { signing_secret: secret } }));
  const server = await rawServer([answered("whs_first"), answered("whs_second"), answered("whs_second")]);
  talkTo(server.baseUrl);
  for (const n of [1, 2, 3]) await engine.up(crm({ triggers: { n } }));
  expect(engine.outputsOf("crm")).toMatchObject({
    secret: "whs_second",
    previousSecret: "whs_first",
    rotationCount: 3,
  });
});

test("a period that a policy has given after the check rotates when it is over, once, and moves no date of the program's own", async () => {
  const { engine, journal, clock } = await world(webhookSecretLifecycle);
  const lifecycle = withOwnership(webhookSecretLifecycle as unknown as Lifecycle);
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  let state: Values & { organization: string } = { organization: "acme" };
  let inputs: Values & { organization: string } = state;
  const up = async (days: number) => {
    clock(day(days));
    const ctx = engine.context();
    const checked = lifecycle.check(ctx, inputs, crm({ rotateAfter: "90d" }).crm).inputs as typeof inputs;
    const remediated = { ...checked, rotateAfter: "30d" };
    if (state.rotationState === undefined) state = await lifecycle.create(ctx, remediated);
    else if (lifecycle.diff(ctx, state, remediated).changes) state = await lifecycle.update(ctx, state, remediated);
    inputs = remediated;
    return [journal().length, checked.rotateOn];
  };
  expect(await up(0)).toEqual([1, day(90)]);
  expect(await up(29)).toEqual([0, day(90)]);
  expect(await up(30)).toEqual([1, day(90)]);
  // The moment of the answer is by the real clock.
  expect(state.rotationCount).toBe(2);
});

describe("of another organization", () => {
  const [before, now] = ["https://old.example.com", "https://new.example.com"];

  test("it is refused, and the error says how the name can stay, unless it is another webhook", async () => {
    const { engine, journal, forgetRequests } = await world(webhookSecretLifecycle, before);
    await engine.up(crm());
    forgetRequests();
    engine.around = { ...engine.around, organization: now };
    const expected =
      "this WebhookSecret belongs to the organization https://old.example.com, and this provider talks to https://new.example.com. If the " +
      "same organization is meant, keep the name with `pulumi config set voiceplane:organization https://old.example.com`. If another " +
      "organization is meant, declare a new resource with a new name and remove this one [organization-changed]";
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
        "it is unknown whether its last rotation was carried out, so its secret may no longer work. It is sent once more.",
      ),
    ]);
    await engine.up(crm());
    expect(await engine.up(crm())).toEqual({ crm: "same" });
    expect(journal()).toEqual([rotate(), rotate()]);
  });

  /** What the engine calls again in the same run where the program has an error hook. */
  const lifecycle = withOwnership(webhookSecretLifecycle as unknown as Lifecycle);
  const refusal =
    `WebhookSecret "${ids.webhook}" of acme: a rotation earlier in this run may have been carried out, ` +
    "so nothing was sent. Run the same update again: it rotates once more. [rotation-unknown]";

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

  test("is another thing than one that was refused, which may be asked for again in the same run", async () => {
    const { engine, faults } = await world(webhookSecretLifecycle);
    faults({ operation: "rotateWebhookSecret", status: 403, count: 1 });
    const ctx = engine.context();
    const { inputs } = lifecycle.check(ctx, {}, crm().crm);
    await messageOf(lifecycle.create(ctx, inputs));
    expect(await lifecycle.create(ctx, inputs)).toMatchObject({ rotationState: "rotated" });
  });
});
