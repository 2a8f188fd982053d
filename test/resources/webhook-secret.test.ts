import { unknownValue } from "../../src/lifecycle.js";
import { webhookSecret } from "../../src/resources/webhook-secret.js";
import { ids, messageOf, world, type World } from "../support/world.js";

const crm = (args: object = {}) => ({ crm: { webhookId: ids.webhook, ...args } });
const rotate = (id: string = ids.webhook) => `POST /v1/webhooks/${id}/rotate-secret`;
const list = "GET /v1/webhooks/";

function secretOf({ engine }: World): string {
  const secret = engine.outputsOf("crm")?.secret;
  if (typeof secret !== "string") throw new Error("no secret in the state");
  return secret;
}

describe("create", () => {
  test("rotates once and keeps the answered secret", async () => {
    const the = await world(webhookSecret);
    await the.engine.up(crm());
    expect(the.journal()).toEqual([rotate()]);
    expect(the.engine.outputsOf("crm")).toEqual({
      account: "acme",
      webhookId: ids.webhook,
      secret: expect.stringMatching(/^[\w-]{43}$/) as string,
      rotatedAt: "2026-01-01T12:00:00.000Z",
      rotationCount: 1,
      rotationState: "rotated",
    });
  });

  test("rotateOnCreate: false sends nothing", async () => {
    const { engine, journal } = await world(webhookSecret);
    await engine.up(crm({ rotateOnCreate: false }));
    expect(journal()).toEqual([]);
    expect(engine.outputsOf("crm")).toEqual({
      account: "acme",
      webhookId: ids.webhook,
      rotationCount: 0,
      rotationState: "adopted",
    });
  });

  test("rotateOnCreate: false with an initialSecret adopts that secret", async () => {
    const { engine, journal } = await world(webhookSecret);
    await engine.up(crm({ rotateOnCreate: false, initialSecret: "known-so-far" }));
    expect(journal()).toEqual([]);
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "known-so-far", rotationState: "adopted" });
  });

  test("rotateOnCreate: true with an initialSecret keeps that as the previous one", async () => {
    const { engine } = await world(webhookSecret);
    await engine.up(crm({ rotateOnCreate: true, initialSecret: "known-so-far" }));
    expect(engine.outputsOf("crm")).toMatchObject({ previousSecret: "known-so-far", rotationState: "rotated" });
  });

  test("an initialSecret alone is refused, since it may be meant to live on or to die", async () => {
    const { engine, journal } = await world(webhookSecret);
    const message = await messageOf(engine.up(crm({ initialSecret: "known-so-far" })));
    expect(message).toBe(
      "initialSecret: goes with rotateOnCreate: false keeps that secret in use, true rotates at once and keeps it as previousSecret",
    );
    expect(journal()).toEqual([]);
  });

  test("a webhook that does not exist is an error, and nothing is kept", async () => {
    const { engine } = await world(webhookSecret);
    const program = { gone: { webhookId: "c0000000-0000-4000-8000-0000000000ff" } };
    expect(await messageOf(engine.up(program))).toContain("404 NOT_FOUND");
    expect(engine.outputsOf("gone")).toBeUndefined();
  });
});

describe("nothing but a trigger, a date or a lost answer rotates", () => {
  test("the same program, a refresh, a destroy", async () => {
    const { engine, journal } = await world(webhookSecret);
    await engine.up(crm({ triggers: { quarter: "2026-Q1" } }));
    journal();
    expect(await engine.up(crm({ triggers: { quarter: "2026-Q1" } }))).toEqual({ crm: "same" });
    await engine.refresh();
    expect(await engine.up(crm({ triggers: { quarter: "2026-Q1" } }))).toEqual({ crm: "same" });
    await engine.destroy();
    expect(journal()).toEqual([list]);
  });

  test.each([
    ["rotateAfter", { rotateAfter: "90d" }],
    ["rotateOnCreate", { rotateOnCreate: true }],
    ["secretPath", { secretPath: "elsewhere" }],
    ["an initialSecret long after", { rotateOnCreate: false, initialSecret: "known-so-far" }],
  ])("%s, added and removed: stored without an update, so that dependents stay quiet", async (_name, args) => {
    const the = await world(webhookSecret);
    await the.engine.up(crm());
    the.journal();
    const before = the.engine.outputsOf("crm");
    expect(await the.engine.up(crm(args))).toEqual({ crm: "same" });
    expect(the.engine.inputsOf("crm")).toMatchObject(args);
    expect(await the.engine.up(crm())).toEqual({ crm: "same" });
    expect(the.engine.outputsOf("crm")).toEqual(before);
    expect(the.journal()).toEqual([]);
  });

  test("a rename without alias rotates, because the engine creates anew, and deletes nothing", async () => {
    const { engine, journal } = await world(webhookSecret);
    await engine.up(crm());
    await engine.up({ renamed: { webhookId: ids.webhook } });
    expect(journal()).toEqual([rotate(), rotate()]);
  });
});

describe("triggers", () => {
  test("a change rotates in place, and the old secret becomes the previous one", async () => {
    const the = await world(webhookSecret);
    await the.engine.up(crm({ triggers: { quarter: "2026-Q1" } }));
    const first = secretOf(the);
    the.journal();
    the.today("2026-04-01");
    const program = crm({ triggers: { quarter: "2026-Q2" } });
    expect(the.engine.preview(program).crm).toEqual({
      step: "update",
      lines: ['~ triggers: {"quarter":"2026-Q1"} => {"quarter":"2026-Q2"}'],
    });
    expect(await the.engine.up(program)).toEqual({ crm: "update" });
    expect(await the.engine.up(program)).toEqual({ crm: "same" });
    expect(the.journal()).toEqual([rotate()]);
    expect(the.engine.outputsOf("crm")).toMatchObject({
      previousSecret: first,
      rotatedAt: "2026-04-01T12:00:00.000Z",
      rotationCount: 2,
      triggers: { quarter: "2026-Q2" },
    });
    expect(secretOf(the)).not.toBe(first);
  });

  test("adding or removing one rotates; their order does not", async () => {
    const { engine, journal } = await world(webhookSecret);
    await engine.up(crm({ triggers: { a: 1 } }));
    await engine.up(crm({ triggers: { a: 1, b: true } }));
    await engine.up(crm({ triggers: { b: true, a: 1 } }));
    await engine.up(crm({ triggers: { a: 1 } }));
    expect(journal()).toEqual([rotate(), rotate(), rotate()]);
  });

  test("a rotation that was refused is tried again by the next up, once", async () => {
    const the = await world(webhookSecret);
    await the.engine.up(crm());
    const first = secretOf(the);
    the.talkTo(the.plane.url, the.plane.tokens.withoutWebhooksWrite);
    const message = await messageOf(the.engine.up(crm({ triggers: { n: 1 } })));
    expect(message).toContain("The token needs the scope webhooks:write.");
    expect(message).toMatch(/request id [\w-]+/);
    expect(secretOf(the)).toBe(first);
    the.talkTo(the.plane.url);
    the.journal();
    await the.engine.up(crm({ triggers: { n: 1 } }));
    expect(the.journal()).toEqual([rotate()]);
    expect(the.engine.outputsOf("crm")).toMatchObject({ previousSecret: first, rotationCount: 2 });
  });
});

describe("rotateAfter", () => {
  test("rotates once when due; the preview names the date; a refresh says nothing", async () => {
    const { engine, journal, today } = await world(webhookSecret);
    const program = crm({ rotateAfter: "90d" });
    await engine.up(program);
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2026-04-01" });
    today("2026-03-31");
    expect(engine.preview(program).crm).toEqual({ step: "same", lines: [] });
    journal();
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

  test("a year that nobody ran is one rotation", async () => {
    const { engine, journal, today } = await world(webhookSecret);
    const program = crm({ rotateAfter: "90d" });
    await engine.up(program);
    journal();
    today("2027-01-01");
    await engine.up(program);
    await engine.up(program);
    expect(journal()).toEqual([rotate()]);
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2027-04-01" });
  });

  test("a trigger begins the period anew, and both at once are one rotation", async () => {
    const { engine, journal, today } = await world(webhookSecret);
    await engine.up(crm({ rotateAfter: "90d" }));
    journal();
    today("2026-03-01");
    await engine.up(crm({ rotateAfter: "90d", triggers: { n: 1 } }));
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2026-05-30" });
    today("2026-05-30");
    await engine.up(crm({ rotateAfter: "90d", triggers: { n: 2 } }));
    expect(await engine.up(crm({ rotateAfter: "90d", triggers: { n: 2 } }))).toEqual({ crm: "same" });
    expect(journal()).toEqual([rotate(), rotate()]);
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2026-08-28" });
  });

  test("a longer or shorter period counts from the last rotation", async () => {
    const { engine, journal, today } = await world(webhookSecret);
    await engine.up(crm({ rotateAfter: "90d" }));
    journal();
    today("2026-02-10");
    await engine.up(crm({ rotateAfter: "120d" }));
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2026-05-01" });
    await engine.up(crm({ rotateAfter: "60d" }));
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2026-03-02" });
    expect(journal()).toEqual([]);
  });

  test("a period so short that it is over already rotates at once, and then counts from that day", async () => {
    const { engine, journal, today } = await world(webhookSecret);
    await engine.up(crm({ rotateAfter: "90d" }));
    journal();
    today("2026-02-10");
    await engine.up(crm({ rotateAfter: "30d" }));
    expect(await engine.up(crm({ rotateAfter: "30d" }))).toEqual({ crm: "same" });
    expect(journal()).toEqual([rotate()]);
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2026-03-12" });
  });

  test("a period that was lengthened past its due date does not rotate", async () => {
    const { engine, journal, today } = await world(webhookSecret);
    await engine.up(crm({ rotateAfter: "90d" }));
    journal();
    today("2026-04-02");
    expect(await engine.up(crm({ rotateAfter: "365d" }))).toEqual({ crm: "same" });
    expect(journal()).toEqual([]);
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2027-01-01" });
  });

  test("removed, it never rotates; added again, it counts from that day", async () => {
    const { engine, journal, today } = await world(webhookSecret);
    await engine.up(crm({ rotateAfter: "90d" }));
    await engine.up(crm());
    expect(engine.inputsOf("crm")).not.toHaveProperty("rotateOn");
    journal();
    today("2027-01-01");
    expect(await engine.up(crm())).toEqual({ crm: "same" });
    expect(await engine.up(crm({ rotateAfter: "90d" }))).toEqual({ crm: "same" });
    expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2027-04-01" });
    expect(journal()).toEqual([]);
  });

  test("removed after a rotation and added again, the old due date rotates nothing", async () => {
    const { engine, journal, today } = await world(webhookSecret);
    await engine.up(crm({ rotateAfter: "90d" }));
    today("2026-04-01");
    await engine.up(crm({ rotateAfter: "90d" }));
    await engine.up(crm());
    await engine.up(crm({ rotateAfter: "30d" }));
    journal();
    expect(await engine.up(crm({ rotateAfter: "30d" }))).toEqual({ crm: "same" });
    expect(journal()).toEqual([]);
  });

  test("an adopted webhook rotates first when its period is over", async () => {
    const { engine, journal, today } = await world(webhookSecret);
    const program = crm({ rotateOnCreate: false, initialSecret: "known-so-far", rotateAfter: "30d" });
    await engine.up(program);
    today("2026-01-31");
    await engine.up(program);
    expect(journal()).toEqual([rotate()]);
    expect(engine.outputsOf("crm")).toMatchObject({ previousSecret: "known-so-far", rotationCount: 1 });
  });

  test("a due rotation that was refused is due still, under the same date", async () => {
    const { engine, faults, journal, today } = await world(webhookSecret);
    const program = crm({ rotateAfter: "90d" });
    await engine.up(program);
    today("2026-04-01");
    faults({ operation: "rotateWebhookSecret", effect: "status", status: 403, count: 1 });
    await messageOf(engine.up(program));
    journal();
    today("2026-04-03");
    expect(engine.preview(program).crm?.lines).toEqual(["~ rotateOn: 2026-04-01 => 2026-07-02"]);
    await engine.up(program);
    await engine.up(program);
    expect(journal()).toEqual([rotate()]);
  });
});

describe("a rotation whose answer was lost", () => {
  const warning =
    `warning: WebhookSecret "${ids.webhook}" of acme: the answer to its last rotation was lost, so its secret is not ` +
    "known for sure. The next up rotates it once more.";
  const losses = [
    ["reset after the rotation", { effect: "reset", commit: true }],
    ["reset before the rotation", { effect: "reset" }],
    ["a cut body", { effect: "cut" }],
    ["a 503", { effect: "status", status: 503, commit: true }],
  ] as const;

  test.each(losses)(
    "of a create (%s): half-made, no secret, and the next up rotates once more",
    async (_name, loss) => {
      const { engine, faults, journal } = await world(webhookSecret);
      faults({ operation: "rotateWebhookSecret", count: 1, ...loss });
      expect(await messageOf(engine.up(crm()))).toContain("Whether the secret was rotated is unknown");
      expect(engine.outputsOf("crm")).toEqual({
        account: "acme",
        webhookId: ids.webhook,
        rotationCount: 0,
        rotationState: "uncertain",
      });
      expect(journal()).toEqual([rotate()]);
      expect(await engine.up(crm())).toEqual({ crm: "update" });
      expect(await engine.up(crm())).toEqual({ crm: "same" });
      expect(journal()).toEqual([rotate()]);
      expect(engine.outputsOf("crm")).toMatchObject({ rotationCount: 1, rotationState: "rotated" });
    },
  );

  test("of a create with an initialSecret: that one is kept, and becomes the previous one", async () => {
    const { engine, faults } = await world(webhookSecret);
    const program = crm({ rotateOnCreate: true, initialSecret: "known-so-far" });
    faults({ operation: "rotateWebhookSecret", effect: "reset", count: 1 });
    await messageOf(engine.up(program));
    expect(engine.outputsOf("crm")).toMatchObject({ secret: "known-so-far", rotationState: "uncertain" });
    await engine.up(program);
    expect(engine.outputsOf("crm")).toMatchObject({ previousSecret: "known-so-far", rotationState: "rotated" });
  });

  test.each([
    ["then an up", false],
    ["then a refresh and an up", true],
  ])("of an update, %s: rotated once more, the reason said, the previous secret right", async (_name, refreshes) => {
    const the = await world(webhookSecret);
    const { engine } = the;
    await engine.up(crm());
    const first = secretOf(the);
    the.faults({ operation: "rotateWebhookSecret", effect: "reset", commit: true, count: 1 });
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

  test("is rotated once more although the trigger was taken back", async () => {
    const { engine, faults, journal } = await world(webhookSecret);
    await engine.up(crm());
    faults({ operation: "rotateWebhookSecret", effect: "reset", count: 1 });
    await messageOf(engine.up(crm({ triggers: { n: 1 } })));
    await engine.refresh();
    journal();
    expect(await engine.up(crm())).toEqual({ crm: "update" });
    expect(journal()).toEqual([rotate()]);
  });

  test("and lost again keeps the last secret that was known for sure", async () => {
    const the = await world(webhookSecret);
    await the.engine.up(crm());
    const first = secretOf(the);
    the.faults({ operation: "rotateWebhookSecret", effect: "reset", commit: true, count: 2 });
    await messageOf(the.engine.up(crm({ triggers: { n: 1 } })));
    await messageOf(the.engine.up(crm({ triggers: { n: 1 } })));
    await the.engine.up(crm({ triggers: { n: 1 } }));
    expect(the.engine.outputsOf("crm")).toMatchObject({ previousSecret: first, rotationState: "rotated" });
    expect(the.plane.control.counters().rotateWebhookSecret?.total).toBe(4);
  });

  test("when a date was due: one more rotation, not two", async () => {
    const { engine, faults, journal, today } = await world(webhookSecret);
    const program = crm({ rotateAfter: "90d" });
    await engine.up(program);
    today("2026-04-01");
    faults({ operation: "rotateWebhookSecret", effect: "reset", commit: true, count: 1 });
    await messageOf(engine.up(program));
    journal();
    await engine.up(program);
    expect(await engine.up(program)).toEqual({ crm: "same" });
    expect(journal()).toEqual([rotate()]);
  });
});

test("a change of account is refused and says how the name can stay", async () => {
  const { engine, journal } = await world(webhookSecret, "https://old.example.com");
  await engine.up(crm());
  journal();
  engine.around = { ...engine.around, account: "https://new.example.com" };
  const expected =
    "webhookId: belongs to the organization https://old.example.com, and this provider talks to " +
    "https://new.example.com. If only the address moved, keep the name with `pulumi config set voiceplane:account " +
    "https://old.example.com`. If another organization is meant, declare a new resource with a new name and remove this one";
  expect(() => engine.preview(crm())).toThrow(expected);
  expect(await messageOf(engine.up(crm()))).toBe(expected);
  expect(journal()).toEqual([]);
});

test("another webhook is a replacement, and the old one keeps its secret", async () => {
  const { engine, journal } = await world(webhookSecret);
  await engine.up(crm());
  journal();
  expect(await engine.up({ crm: { webhookId: ids.otherWebhook } })).toEqual({ crm: "replace" });
  expect(journal()).toEqual([rotate(ids.otherWebhook)]);
});

test("another initialSecret of an adopted webhook is taken over without rotating", async () => {
  const { engine, journal } = await world(webhookSecret);
  await engine.up(crm({ rotateOnCreate: false, initialSecret: "first" }));
  expect(await engine.up(crm({ rotateOnCreate: false, initialSecret: "second" }))).toEqual({ crm: "update" });
  expect(engine.outputsOf("crm")).toMatchObject({ secret: "second", rotationState: "adopted" });
  await engine.up(crm({ rotateOnCreate: false }));
  expect(engine.outputsOf("crm")).not.toHaveProperty("secret");
  expect(journal()).toEqual([]);
});

test.each(["triggers", "rotateAfter", "rotateOnCreate", "initialSecret", "secretPath"])(
  "%s may be unknown in a preview",
  async (property) => {
    const { engine } = await world(webhookSecret);
    const program = crm({ rotateOnCreate: false, [property]: unknownValue });
    expect(engine.preview(program).crm?.step).toBe("create");
    await engine.up(crm({ rotateOnCreate: false }));
    expect(["update", "same"]).toContain(engine.preview(program).crm?.step);
  },
);
