/** Plain previews show a first rotation as a bare create, so each step that cannot be taken back has one warning. */
import { networkPolicy } from "../../../src/resources/network-policy.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { trunkOutboundAuth } from "../../../src/resources/trunk-outbound-auth.js";
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { unknownValue } from "../../../src/values/engine.js";
import { ids, world } from "../../support/world.js";

const days = 'RetentionPolicy "recordings" of acme: the update may delete data for good.';
const unknownDays =
  'RetentionPolicy "recordings" of acme: the update replaces a setting that is not known, which may delete data for good.';
const range = `NetworkPolicy "${ids.office}" of acme: the update may narrow access`;
const unknownRange = `NetworkPolicy "${ids.office}" of acme: the update replaces a range that is not known, which may narrow access`;
const lockout = " and lock this pipeline out, as no mustInclude names its address.";
const cut = `TrunkOutboundAuth "${ids.trunk}" of acme: the update clears the trunk's outbound credentials, which cannot be restored.`;
const rotation = `WebhookSecret "${ids.webhook}" of acme: the update rotates its signing secret: the old one stops working.`;

const lifecycles = { retentionPolicy, networkPolicy, trunkOutboundAuth, webhookSecret };
const identities = {
  retentionPolicy: { resource: "recordings", onCreate: "overwrite" },
  networkPolicy: { networkPolicyId: ids.office, onCreate: "overwrite" },
  trunkOutboundAuth: { trunkId: ids.trunk },
  webhookSecret: { webhookId: ids.webhook, onCreate: "rotate" },
};
type Kind = keyof typeof lifecycles;

interface Case {
  readonly of: Kind;
  /** Applied before; undefined for a create. */
  readonly before?: object;
  readonly after: object;
  /** The day of the preview. Default: that of the update before. */
  readonly on?: string;
  readonly warning?: string;
}

const shorter = { retentionDays: 30, allowShortening: { from: 90, to: 30 } };
const [small, large] = [{ sourceCidr: "203.0.113.0/25" }, { sourceCidr: "203.0.113.0/24" }];
const again = { reassertAfter: "30d" };

const cases: Record<string, Case> = {
  "the first days": {
    of: "retentionPolicy",
    after: { retentionDays: 90 },
    warning: unknownDays,
  },
  "adopted days": { of: "retentionPolicy", after: { retentionDays: 90, onCreate: "adopt" } },
  "the first request after adopted days, for more": {
    of: "retentionPolicy",
    before: { retentionDays: 90, onCreate: "adopt" },
    after: { retentionDays: 120, onCreate: "adopt" },
    warning: unknownDays,
  },
  "fewer days": { of: "retentionPolicy", before: { retentionDays: 90 }, after: shorter, warning: days },
  "more days": { of: "retentionPolicy", before: { retentionDays: 90 }, after: { retentionDays: 120 } },
  "more days of a policy that is turned on": {
    of: "retentionPolicy",
    before: { retentionDays: 90, enabled: false },
    after: { retentionDays: 120 },
    warning: days,
  },
  "more days of a policy that is turned off": {
    of: "retentionPolicy",
    before: { retentionDays: 90 },
    after: { retentionDays: 120, enabled: false },
    warning: days,
  },
  "days that are not known yet": {
    of: "retentionPolicy",
    before: { retentionDays: 90 },
    after: { retentionDays: unknownValue },
    warning: days,
  },
  "unchanged days": { of: "retentionPolicy", before: { retentionDays: 90 }, after: { retentionDays: 90 } },
  "days that are due": {
    of: "retentionPolicy",
    before: { retentionDays: 90, ...again },
    after: { retentionDays: 90, ...again },
    on: "2026-02-01",
    warning: unknownDays,
  },
  "days that are due and need no approval": {
    of: "retentionPolicy",
    before: { retentionDays: 90, ...again, reassertUnattended: true },
    after: { retentionDays: 90, ...again, reassertUnattended: true },
    on: "2026-02-01",
  },
  "the first range": {
    of: "networkPolicy",
    after: small,
    warning: unknownRange + lockout,
  },
  "the first range, with the pipeline's address": {
    of: "networkPolicy",
    after: { ...small, mustInclude: ["203.0.113.7"] },
    warning: `${unknownRange}.`,
  },
  "every address, which locks nobody out": {
    of: "networkPolicy",
    after: { sourceCidr: "0.0.0.0/0" },
    warning: `${unknownRange}.`,
  },
  "a name alone": { of: "networkPolicy", after: { name: "HQ" } },
  "a smaller range": { of: "networkPolicy", before: large, after: small, warning: range + lockout },
  "a larger range": { of: "networkPolicy", before: small, after: large },
  "another name of the same range": { of: "networkPolicy", before: small, after: { ...small, name: "HQ" } },
  "a range that is not known yet": {
    of: "networkPolicy",
    before: small,
    after: { sourceCidr: unknownValue },
    warning: range + lockout,
  },
  "a trunk that is cleared": { of: "trunkOutboundAuth", after: { cleared: true }, warning: cut },
  "a trunk that is tracked": { of: "trunkOutboundAuth", after: { cleared: false } },
  "a trunk that is cleared again": {
    of: "trunkOutboundAuth",
    before: { cleared: true },
    after: { cleared: true, triggers: { cut: 2 } },
    warning: cut,
  },
  "a first rotation": { of: "webhookSecret", after: {}, warning: rotation },
  "an adopted webhook": { of: "webhookSecret", after: { onCreate: "adopt" } },
  "a changed trigger": { of: "webhookSecret", before: {}, after: { triggers: { quarter: "Q4" } }, warning: rotation },
  "a new period": { of: "webhookSecret", before: {}, after: { rotateAfter: "90d" } },
  "a due rotation": {
    of: "webhookSecret",
    before: { rotateAfter: "90d" },
    after: { rotateAfter: "90d" },
    on: "2026-04-02",
    warning: rotation,
  },
};

test.each(Object.entries(cases))("%s", async (_name, { of, before, after, on, warning }) => {
  const { engine, today } = await world(lifecycles[of]);
  const program = (args: object) => ({ declared: { ...identities[of], ...args } });
  if (before) await engine.up(program(before));
  if (on) today(on);
  engine.risks();
  engine.preview(program(after));
  expect(engine.risks()).toEqual(warning === undefined ? [] : [warning]);
});
