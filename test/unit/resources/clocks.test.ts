/** A clock that was wrong moves no date forward. */
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { ids, world } from "../../support/world.js";

const crm = (args: object = {}) => ({
  crm: { webhookId: ids.webhook, onCreate: "rotate", rotateAfter: "90d", ...args },
});
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
  expect(journal()).toEqual([rotation]);
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
  expect(journal()).toEqual([rotation, rotation]);
});

test("a reassertOn stays under a clock that is behind, too", async () => {
  const { engine, journal, forgetRequests, clock } = await world(retentionPolicy);
  const program = { kept: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, reassertAfter: "7d" } };
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
