/** What reverting a change sends: each row of the table in docs/operate/undo.md. */
import { networkPolicy } from "../../../src/resources/network-policy.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { trunkOutboundAuth } from "../../../src/resources/trunk-outbound-auth.js";
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { read } from "../../support/docs/documents";
import { ids, messageOf, world } from "../../support/world.js";

type Program = Parameters<Awaited<ReturnType<typeof world>>["engine"]["up"]>[0];
interface Case {
  readonly lifecycle: Parameters<typeof world>[0];
  readonly before: Program;
  readonly merged: Program;
  readonly sends: readonly string[];
}

const days = (retentionDays: number, args = {}) => ({
  recordings: { resource: "recordings", onCreate: "overwrite", retentionDays, ...args },
});
const put = (amount: number) => `PUT /v1/retention-policies/recordings {"retention_days":${amount},"enabled":true}`;
const office = (args: object) => ({ office: { networkPolicyId: ids.office, onCreate: "overwrite", ...args } });
const patch = (body: string) => `PATCH /v1/network-policies/${ids.office} ${body}`;
const trunk = (args: object) => ({ carrier: { trunkId: ids.trunk, ...args } });
const clear = `DELETE /v1/trunks/${ids.trunk}/outbound-auth`;
const crm = (args: object = {}) => ({ crm: { webhookId: ids.webhook, onCreate: "rotate", ...args } });
const rotate = `POST /v1/webhooks/${ids.webhook}/rotate-secret`;

const cases: Record<string, Case[]> = {
  "RetentionPolicy: fewer days": [
    {
      lifecycle: retentionPolicy,
      before: days(365),
      merged: days(90, { allowShortening: { from: 365, to: 90 } }),
      sends: [put(365)],
    },
  ],
  "NetworkPolicy: another range or name": [
    {
      lifecycle: networkPolicy,
      before: office({ name: "HQ", sourceCidr: "203.0.113.0/24" }),
      merged: office({ name: "HQ", sourceCidr: "203.0.113.0/25" }),
      sends: [patch('{"name":"HQ","source_cidr":"203.0.113.0/24"}')],
    },
  ],
  "NetworkPolicy: a first range": [
    {
      lifecycle: networkPolicy,
      before: office({ name: "HQ" }),
      merged: office({ name: "HQ", sourceCidr: "203.0.113.0/25" }),
      sends: [],
    },
  ],
  "TrunkOutboundAuth: cleared": [
    { lifecycle: trunkOutboundAuth, before: trunk({ cleared: false }), merged: trunk({ cleared: true }), sends: [] },
  ],
  "TrunkOutboundAuth: other triggers, or removed": [
    {
      lifecycle: trunkOutboundAuth,
      before: trunk({ cleared: true }),
      merged: trunk({ cleared: true, triggers: { audit: 1 } }),
      sends: [clear],
    },
    { lifecycle: trunkOutboundAuth, before: trunk({ cleared: true }), merged: {}, sends: [clear] },
  ],
  "WebhookSecret: other triggers": [
    {
      lifecycle: webhookSecret,
      before: crm({ triggers: { quarter: "2026-Q4" } }),
      merged: crm({ triggers: { quarter: "2027-Q1" } }),
      sends: [rotate],
    },
  ],
  "WebhookSecret: a first rotateAfter": [
    { lifecycle: webhookSecret, before: crm(), merged: crm({ rotateAfter: "90d" }), sends: [] },
  ],
  "a new RetentionPolicy or NetworkPolicy": [
    { lifecycle: retentionPolicy, before: {}, merged: days(90), sends: [] },
    { lifecycle: networkPolicy, before: {}, merged: office({ sourceCidr: "203.0.113.0/24" }), sends: [] },
  ],
  "a new WebhookSecret": [{ lifecycle: webhookSecret, before: {}, merged: crm(), sends: [] }],
  "a removed RetentionPolicy or NetworkPolicy": [
    { lifecycle: retentionPolicy, before: days(90), merged: {}, sends: [put(90)] },
    { lifecycle: retentionPolicy, before: days(90, { onCreate: "adopt" }), merged: {}, sends: [] },
    {
      lifecycle: networkPolicy,
      before: office({ sourceCidr: "203.0.113.0/24" }),
      merged: {},
      sends: [patch('{"source_cidr":"203.0.113.0/24"}')],
    },
  ],
  "a removed WebhookSecret": [
    { lifecycle: webhookSecret, before: crm(), merged: {}, sends: [rotate] },
    { lifecycle: webhookSecret, before: crm({ onCreate: "adopt" }), merged: {}, sends: [] },
  ],
};
const refused = "RetentionPolicy: more days";

test.each(Object.entries(cases).flatMap(([change, each]) => each.map((one) => ({ change, ...one }))))(
  "$change: reverting it sends $sends",
  async ({ lifecycle, before, merged, sends }) => {
    const { engine, forgetRequests, journal } = await world(lifecycle);
    await engine.up(before);
    await engine.up(merged);
    forgetRequests();
    await engine.up(before);
    expect(journal()).toEqual(sends);
  },
);

test(`${refused}: the preview refuses the revert until it allows the step`, async () => {
  const { engine, forgetRequests, journal } = await world(retentionPolicy);
  await engine.up(days(90));
  await engine.up(days(365));
  forgetRequests();
  expect(await messageOf(engine.up(days(90)))).toContain("365 => 90 deletes recordings older than 90 days for good");
  expect(journal()).toEqual([]);
  await engine.up(days(90, { allowShortening: { from: 365, to: 90 } }));
  expect(journal()).toEqual([put(90)]);
});

test("the page has a row for each of these changes, which says what is sent", () => {
  const [, table = ""] = read("docs/operate/undo.md").split("## What a revert sends");
  const rows = [...table.matchAll(/^\| (.+?) +\| (.+?) +\|/gm)].slice(2).map(([, change = "", sent = ""]) => ({
    change,
    verbs: sent.match(/PUT|PATCH|DELETE|POST/g) ?? [],
  }));
  const verbsOf = (each: readonly Case[]) => [
    ...new Set(each.flatMap(({ sends }) => sends.map((request) => request.split(" ")[0] ?? ""))),
  ];
  const tested = Object.entries(cases).map(([change, each]) => ({ change, verbs: verbsOf(each) }));
  expect(rows).toEqual(expect.arrayContaining([...tested, { change: refused, verbs: [] }]));
  expect(rows).toHaveLength(tested.length + 1);
});
