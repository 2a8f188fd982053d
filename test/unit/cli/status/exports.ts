/** A stack's export with every kind of object and condition. */
import type { ResourceType } from "../../../../src/resources/index.js";

export const secretKey = "4dabf18193072939515e22adb298388d";
const secretValue = "1b47061264138c4ac30d75fd1eb44270";

export const mark = (member: object): object => ({ [secretKey]: secretValue, ...member });

const prefix = "urn:pulumi:prod::acme";
const created = "2026-01-02T03:04:05.5Z";

/** Dynamic, as in programs. */
export function webhook(name: string, inputs: object, outputs: object, rest: object = {}): object {
  const type = "pulumi-nodejs:dynamic/voiceplane:WebhookSecret";
  const both = { organization: "eu", webhookId: `wh-${name}` };
  return {
    ...{ urn: `${prefix}::${type}::${name}`, type, id: `wh-${name}`, created, modified: created },
    inputs: { ...both, ...inputs },
    outputs: { ...both, rotationCount: 0, ...outputs },
    ...rest,
  };
}

/** Native, in an Organization. */
export function setting(type: string, name: string, inputs: object, outputs: object, rest: object = {}): object {
  const token = `voiceplane:index:${type}`;
  return {
    ...{ urn: `${prefix}::voiceplane:index:Organization$${token}::${name}`, type: token, id: name, created },
    modified: "2026-02-03T04:05:06Z",
    inputs: { organization: "us", ...inputs },
    outputs: { organization: "us", onDelete: "retain", ...outputs },
    ...rest,
  };
}

export function exported(resources: readonly object[], rest: object = {}): string {
  const manifest = { time: "2026-11-20T21:22:23.25Z" };
  return JSON.stringify({ version: 3, deployment: { manifest, resources, ...rest } });
}

export const secret = mark({ ciphertext: "v1:c2VjcmV0" });

const objects: Record<ResourceType, readonly object[]> = {
  WebhookSecret: [
    webhook(
      "crm",
      { rotateOn: "2026-12-01" },
      { secret, rotatedAt: "2026-10-22T12:00:00.000Z", rotationCount: 3, rotationState: "rotated" },
    ),
    webhook("adopted", { onCreate: "adopt" }, { secret, rotationState: "adopted" }),
    webhook(
      "lost",
      {},
      { secret, rotatedAt: "2026-11-21T11:59:59.000Z", rotationCount: 1, rotationState: "uncertain" },
      { initErrors: ["POST /v1/webhooks/wh-lost/rotate-secret got no usable answer"] },
    ),
    webhook("silent", {}, { data: secret, rotatedAt: created, rotationCount: 1, rotationState: "unread" }),
  ],
  RetentionPolicy: [
    setting(
      "RetentionPolicy",
      "a-name-that-is-far-too-long-for-a-table-of-one-hundred-columns",
      { reassertOn: "2026-11-20" },
      { retentionDays: 90, enabled: false },
    ),
    setting("RetentionPolicy", "recordings", { reassertOn: "2026-11-21" }, { retentionDays: 365, enabled: true }),
  ],
  NetworkPolicy: [
    setting("NetworkPolicy", "office", {}, { name: "HQ", sourceCidr: "2001:db8::/48" }, { initErrors: ["400"] }),
  ],
  TrunkOutboundAuth: [
    setting("TrunkOutboundAuth", "carrier", {}, { cleared: true, triggers: { a: secret, b: 1 } }),
    setting("TrunkOutboundAuth", "elsewhere", {}, { cleared: false }, { delete: true }),
  ],
};

export const everything = exported(
  [{ urn: `${prefix}::pulumi:pulumi:Stack::acme-prod`, type: "pulumi:pulumi:Stack" }, ...Object.values(objects).flat()],
  { pending_operations: [{ type: "updating", resource: { urn: `${prefix}::aws:s3/bucket:Bucket::logs` } }] },
);

export const well = exported([
  webhook(
    "crm",
    { rotateOn: "2999-01-01" },
    { secret, rotatedAt: created, rotationCount: 1, rotationState: "rotated" },
  ),
]);
