import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { checkContext } from "../../support/resources/check-context.js";
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

describe("create", () => {
  test("rotates once and keeps the answered secret", async () => {
    const the = await world(webhookSecret);
    await the.engine.up(crm());
    expect(the.engine.said()).toEqual([]);
    expect(the.journal()).toEqual([rotate()]);
    expect(the.engine.outputsOf("crm")).toEqual({
      requestId: anyRowId,
      organization: "acme",
      webhookId: ids.webhook,
      secret: expect.stringMatching(/^[\w-]{43}$/) as string,
      data: expect.objectContaining({ webhook: expect.objectContaining({ id: ids.webhook }) as object }) as object,
      rotatedAt: "2026-01-01T12:00:00.000Z",
      rotationCount: 1,
      rotationState: "rotated",
    });
  });

  test('onCreate: "adopt" sends nothing', async () => {
    const { engine, journal } = await world(webhookSecret);
    await engine.up(crm({ onCreate: "adopt" }));
    expect(journal()).toEqual([]);
    expect(engine.outputsOf("crm")).toEqual({
      requestId: anyRowId,
      organization: "acme",
      webhookId: ids.webhook,
      rotationCount: 0,
      rotationState: "adopted",
    });
  });

  test("a webhook without onCreate is refused: nobody ends a secret in use by leaving something out", async () => {
    const { engine, journal } = await world(webhookSecret);
    const message = await messageOf(engine.up({ crm: { webhookId: ids.webhook } }));
    expect(message).toBe('onCreate: is missing: it must be "rotate" or "adopt"');
    expect(journal()).toEqual([]);
  });

  test("a webhook that does not exist is an error, and nothing is kept", async () => {
    const { engine } = await world(webhookSecret);
    const program = { gone: { webhookId: "c0000000-0000-4000-8000-0000000000ff", onCreate: "rotate" } };
    expect(await messageOf(engine.up(program))).toContain("404 NOT_FOUND");
    expect(engine.outputsOf("gone")).toBeUndefined();
  });
});

describe("nothing but a trigger, a date or a lost answer rotates", () => {
  test("the same program, a refresh, a destroy", async () => {
    const { engine, journal, forgetRequests } = await world(webhookSecret);
    await engine.up(crm({ triggers: { quarter: "2026-Q1" } }));
    forgetRequests();
    expect(await engine.up(crm({ triggers: { quarter: "2026-Q1" } }))).toEqual({ crm: "same" });
    await engine.refresh();
    expect(await engine.up(crm({ triggers: { quarter: "2026-Q1" } }))).toEqual({ crm: "same" });
    await engine.destroy();
    expect(journal()).toEqual([list]);
  });

  test.each([
    ["rotateAfter", { rotateAfter: "90d" }],
    ["secretPath", { secretPath: "elsewhere" }],
    ["secretPath, rotateAfter, onCreate", { secretPath: "a.b", rotateAfter: "90d", onCreate: "adopt" }],
  ])("%s, added and removed: stored without an update, and said, as no preview shows it", async (names, args) => {
    const the = await world(webhookSecret);
    await the.engine.up(crm());
    the.journal();
    const before = the.engine.outputsOf("crm");
    the.engine.said();
    expect(await the.engine.up(crm(args))).toEqual({ crm: "same" });
    const stored = `info: WebhookSecret "${ids.webhook}" of acme: ${names} changed; that is stored and sends nothing.`;
    expect(the.engine.said()).toEqual([stored]);
    expect(the.engine.inputsOf("crm")).toMatchObject(args);
    expect(await the.engine.up(crm())).toEqual({ crm: "same" });
    expect(the.engine.outputsOf("crm")).toEqual(before);
    expect(the.journal()).toEqual([]);
  });

  test("a rename without alias rotates, because the engine creates anew, and deletes nothing", async () => {
    const { engine, journal } = await world(webhookSecret);
    await engine.up(crm());
    await engine.up({ renamed: { webhookId: ids.webhook, onCreate: "rotate" } });
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
});

test("a change of organization is refused and says how the name can stay", async () => {
  const { engine, journal, forgetRequests } = await world(webhookSecret, "https://old.example.com");
  await engine.up(crm());
  forgetRequests();
  engine.around = { ...engine.around, organization: "https://new.example.com" };
  const expected =
    "the webhook belongs to the organization https://old.example.com, and this provider talks to " +
    "https://new.example.com. If only the address changed, keep the name with `pulumi config set voiceplane:organization " +
    "https://old.example.com`. If another organization is meant, declare a new resource with a new name and remove this one";
  expect(() => engine.preview(crm())).toThrow(expected);
  expect(await messageOf(engine.up(crm()))).toBe(expected);
  expect(journal()).toEqual([]);
});

test("another webhook of another organization is not refused, as nothing that moved is meant", async () => {
  const { engine, journal, forgetRequests } = await world(webhookSecret, "https://old.example.com");
  await engine.up(crm());
  forgetRequests();
  engine.around = { ...engine.around, organization: "https://new.example.com" };
  await engine.up({ crm: { webhookId: ids.otherWebhook, onCreate: "rotate" } });
  expect(journal()).toEqual([rotate(ids.otherWebhook)]);
});

test("a webhook that was just imported has no organization yet, and is not refused", () => {
  const imported = { webhookId: ids.webhook, onCreate: "adopt" as const };
  expect(webhookSecret.check(checkContext(), imported, imported).problems).toEqual([]);
});

test("what is always secret is known, and what a preview cannot know", () => {
  expect(webhookSecret).toMatchObject({
    date: "rotateOn",
    secrets: ["initialSecret", "secret", "previousSecret", "data"],
    answered: ["secret", "rotatedAt", "rotationState", "data"],
  });
});

test("another initialSecret of an adopted webhook is taken over without rotating, and stays known when it is removed", async () => {
  const { engine, journal } = await world(webhookSecret);
  await engine.up(crm({ onCreate: "adopt", initialSecret: "first" }));
  expect(await engine.up(crm({ onCreate: "adopt", initialSecret: "second" }))).toEqual({ crm: "update" });
  expect(engine.outputsOf("crm")).toMatchObject({ secret: "second", rotationState: "adopted" });
  expect(await engine.up(crm({ onCreate: "adopt" }))).toEqual({ crm: "same" });
  expect(engine.outputsOf("crm")).toMatchObject({ secret: "second", rotationState: "adopted" });
  expect(journal()).toEqual([]);
});

test("a destroy says that the webhook keeps its secret", async () => {
  const { engine, journal, forgetRequests } = await world(webhookSecret);
  await engine.up(crm());
  forgetRequests();
  engine.said();
  await engine.destroy();
  expect(engine.said()).toEqual([
    `warning: WebhookSecret "${ids.webhook}" of acme: keeps its secret. Nothing was sent.`,
  ]);
  expect(journal()).toEqual([]);
});
