/** A clock that is wrong, now or in an earlier run, sends no rotation and loses no more than a warning says. */
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { startRawServer, success } from "../../support/client/raw-server.js";
import { closeAfterTest, ids, messageOf, world } from "../../support/world.js";

const crm = (args: object = {}) => ({
  crm: { webhookId: ids.webhook, onCreate: "rotate", rotateAfter: "90d", ...args },
});
const list = "GET /v1/webhooks/";
const rotation = `POST /v1/webhooks/${ids.webhook}/rotate-secret`;

test("an up under a clock that is behind moves no date forward, and the next one rotates nothing", async () => {
  const { engine, journal, forgetRequests, today, clock } = await world(webhookSecret);
  await engine.up(crm());
  forgetRequests();
  today("2026-02-01");
  clock("2020-01-01");
  expect(engine.preview(crm()).crm).toEqual({ step: "same", lines: [] });
  await engine.up(crm());
  expect(engine.said().at(-1)).toBe(
    `warning: WebhookSecret "${ids.webhook}" of acme: rotateOn 2026-04-01 is more than a period after today, 2020-01-01: ` +
      "fix this machine's clock, or remove rotateAfter once.",
  );
  clock("2026-02-02");
  expect(await engine.up(crm())).toEqual({ crm: "same" });
  expect(journal()).toEqual([]);

  today("2026-04-01");
  await engine.up(crm());
  expect(journal()).toEqual([list, rotation]);
});

test("an up under a clock that is ahead rotates nothing, says so, and the date stays", async () => {
  const { engine, journal, forgetRequests, today, clock } = await world(webhookSecret);
  await engine.up(crm());
  forgetRequests();
  today("2026-03-01");
  clock("2026-04-02");
  expect(await messageOf(engine.up(crm()))).toBe(
    `WebhookSecret "${ids.webhook}" of acme: nothing was rotated: the rotation is due on 2026-04-01, and by the server's ` +
      "clock it is 2026-03-01. This machine's clock says 2026-04-02: correct it and run the update again.",
  );
  expect(journal()).toEqual([list]);

  clock("2026-03-02");
  expect(await engine.up(crm())).toEqual({ crm: "same" });
  today("2026-04-01");
  await engine.up(crm());
  expect(await engine.up(crm())).toEqual({ crm: "same" });
  expect(journal()).toEqual([list, rotation]);
  expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2026-06-30" });
});

test("a date from a clock that was behind is skipped once it comes, with a warning", async () => {
  const { engine, journal, forgetRequests, today, clock } = await world(webhookSecret);
  clock("2020-01-01");
  await engine.up(crm());
  expect(engine.outputsOf("crm")?.rotatedAt).toMatch(/^2026-01-01T12:00/);
  expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2020-03-31" });
  forgetRequests();

  today("2026-01-10");
  await engine.up(crm());
  expect(engine.said().at(-1)).toMatch(
    /nothing was rotated: the last rotation was at 2026-01-01T12:00:\S+, less than 90d ago, so a clock that was behind computed the date 2020-03-31\. The next one is 2026-04-10\.$/,
  );
  expect(await engine.up(crm())).toEqual({ crm: "same" });
  expect(journal()).toEqual([list]);

  today("2026-04-10");
  await engine.up(crm());
  expect(journal()).toEqual([list, rotation]);
});

test("a trigger under a clock that is ahead stops the schedule no longer than the warning says", async () => {
  const { engine, journal, forgetRequests, today, clock } = await world(webhookSecret);
  await engine.up(crm());
  clock("2036-01-01");
  await engine.up(crm({ triggers: { n: 1 } }));
  forgetRequests();
  today("2026-02-01");
  engine.said();
  const now = crm({ triggers: { n: 1 } });
  await engine.up(now);
  expect(engine.said().at(-1)).toContain("rotateOn 2036-03-31 is more than a period after today, 2026-02-01");
  const { rotateAfter, ...without } = now.crm;
  expect(rotateAfter).toBe("90d");
  await engine.up({ crm: without });
  await engine.up(now);
  expect(engine.inputsOf("crm")).toMatchObject({ rotateOn: "2026-05-02" });
  expect(journal()).toEqual([]);
});

test("a date that was done early is due again when the same date is computed again", async () => {
  const { engine, journal, forgetRequests, today } = await world(webhookSecret);
  await engine.up(crm());
  today("2026-04-01");
  await engine.up(crm());
  forgetRequests();
  // A trigger on the very day from which the period leads to a date that was done before.
  await engine.up(crm({ triggers: { n: 1 } }));
  expect(engine.outputsOf("crm")).not.toHaveProperty("__due");
  today("2026-06-30");
  await engine.up(crm({ triggers: { n: 1 } }));
  expect(journal()).toEqual([rotation, list, rotation]);
});

test("where the server cannot be asked for its date, nothing is rotated and the date stays", async () => {
  const { engine, journal, forgetRequests, today, faults } = await world(webhookSecret);
  await engine.up(crm());
  forgetRequests();
  today("2026-04-01");
  faults({ operation: "listWebhooks", connection: "reset", count: 20 });
  expect(await messageOf(engine.up(crm()))).toContain("GET /v1/webhooks/ got no usable answer");
  faults();
  forgetRequests();
  await engine.up(crm());
  expect(journal()).toEqual([list, rotation]);
});

test("a refusal of the list tells the date as well", async () => {
  const { engine, plane, journal, forgetRequests, today, talkTo } = await world(webhookSecret);
  await engine.up(crm());
  forgetRequests();
  today("2026-04-01");
  talkTo(plane.url, plane.tokens.withoutWebhooksRead);
  await engine.up(crm());
  expect(journal()).toEqual([list, rotation]);
});

test("where the server's answers have no date, this machine's clock alone rotates, and a warning says so", async () => {
  const behaviours = [success({ secret: "first" }), success([{ id: ids.webhook }]), success({ secret: "second" })];
  const server = await startRawServer(behaviours);
  closeAfterTest(() => server.close());
  const { engine, today, talkTo } = await world(webhookSecret);
  talkTo(server.baseUrl);
  await engine.up(crm());
  today("2026-04-01");
  engine.said();
  await engine.up(crm());
  expect(server.requests.map(({ head }) => head.split(" HTTP")[0])).toEqual([rotation, list, rotation]);
  expect(engine.outputsOf("crm")).toMatchObject({ secret: "second", rotatedAt: "2026-04-01T12:00:00.000Z" });
  expect(engine.said().join()).toMatch(/^warning: WebhookSecret "\S+" of acme: .*has no date/);
});

test("where nobody knows the server's time, the list is not asked for, and this machine's clock decides", async () => {
  const { engine, journal, forgetRequests, today } = await world(webhookSecret);
  const { api } = engine.context();
  engine.around = { ...engine.around, api: { send: api.send.bind(api) } };
  await engine.up(crm());
  forgetRequests();
  engine.said();
  today("2026-04-01");
  await engine.up(crm());
  expect(journal()).toEqual([rotation]);
  expect(engine.outputsOf("crm")).toMatchObject({ rotatedAt: "2026-04-01T12:00:00.000Z" });
  expect(engine.said()).toEqual([]);
});

describe("clocks that differ by", () => {
  const at = async (here: string, there: string) => {
    const the = await world(webhookSecret);
    await the.engine.up(crm());
    the.engine.around = { ...the.engine.around, now: () => new Date(here) };
    the.plane.control.setClock(new Date(there));
    the.journal();
    return the;
  };

  test("less than an hour: what is due by one of them is rotated, at this machine's time", async () => {
    const { engine, journal } = await at("2026-04-01T00:10:00Z", "2026-03-31T23:15:00Z");
    await engine.up(crm());
    expect(journal()).toEqual([list, rotation]);
    expect(engine.outputsOf("crm")).toMatchObject({ rotatedAt: "2026-04-01T00:10:00.000Z" });
  });

  test("more than an hour: nothing is rotated before the server's date has come", async () => {
    const { engine, journal } = await at("2026-04-01T00:10:00Z", "2026-03-31T22:55:00Z");
    expect(await messageOf(engine.up(crm()))).toContain("nothing was rotated: the rotation is due on 2026-04-01");
    expect(journal()).toEqual([list]);
  });

  test.each([
    ["behind", "2026-04-01T10:00:00Z", /^2026-04-01T10:00:0/],
    ["ahead", "2026-04-01T14:00:00Z", /^2026-04-01T14:00:0/],
  ])("two hours, with the server %s: the rotation has the server's date", async (_name, there, rotatedAt) => {
    const { engine } = await at("2026-04-01T12:00:00Z", there);
    await engine.up(crm());
    expect(engine.outputsOf("crm")?.rotatedAt).toMatch(rotatedAt);
  });
});

test("a reassertOn stays under a clock that is behind, too", async () => {
  const { engine, journal, forgetRequests, clock } = await world(retentionPolicy);
  const program = { kept: { resource: "recordings", retentionDays: 90, reassertAfter: "7d" } };
  await engine.up(program);
  forgetRequests();
  clock("2020-01-01");
  await engine.up(program);
  const said = engine.said().at(-1);
  expect(said).toContain("reassertOn 2026-01-08 is more than a period after today, 2020-01-01");
  expect(said).toContain("remove reassertAfter once");
  clock("2026-01-02");
  expect(await engine.up(program)).toEqual({ kept: "same" });
  expect(journal()).toEqual([]);
});
