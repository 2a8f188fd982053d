/** Exports of stacks, for the tests of what reads one. */
const prefix = "urn:pulumi:prod::acme";
const created = "2026-01-02T03:04:05.5Z";
const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

export const secret = { ...mark, ciphertext: "v1:c2VjcmV0" };

/** Dynamic, as in programs. */
export function webhook(name: string, inputs: object = {}, outputs: object = {}): object {
  const type = "pulumi-nodejs:dynamic/voiceplane:WebhookSecret";
  const both = { organization: "eu", webhookId: `wh-${name}` };
  return {
    ...{ urn: `${prefix}::${type}::${name}`, type, id: `wh-${name}`, created, modified: created },
    inputs: { ...both, ...inputs },
    outputs: { ...both, rotationCount: 0, rotationState: "adopted", ...outputs },
  };
}

/** Native, in an Organization. */
export function setting(type: string, name: string, inputs: object, outputs: object): object {
  const token = `voiceplane:index:${type}`;
  return {
    ...{ urn: `${prefix}::voiceplane:index:Organization$${token}::${name}`, type: token, id: name, created },
    modified: "2026-02-03T04:05:06Z",
    inputs: { organization: "us", ...inputs },
    outputs: { organization: "us", onDelete: "retain", ...outputs },
  };
}

export function exported(resources: readonly object[], rest: object = {}): string {
  return JSON.stringify({ version: 3, deployment: { resources, ...rest } });
}

const crm = webhook(
  "crm",
  { rotateOn: "2999-12-01" },
  { secret, rotatedAt: "2026-10-22T12:00:00.000Z", rotationCount: 3, rotationState: "rotated" },
);

/** Every condition of an object, and operations that did not end. */
export const everything = exported(
  [
    { urn: `${prefix}::pulumi:pulumi:Stack::acme-prod`, type: "pulumi:pulumi:Stack" },
    crm,
    webhook("adopted", { onCreate: "adopt" }, { secret }),
    webhook(
      "lost",
      {},
      { secret, rotatedAt: "2026-11-21T11:59:59.000Z", rotationCount: 1, rotationState: "uncertain" },
    ),
    webhook("silent", {}, { data: secret, rotatedAt: created, rotationCount: 1, rotationState: "unread" }),
    setting("RetentionPolicy", "audit", { reassertOn: "2026-01-20" }, { retentionDays: 90, enabled: false }),
    setting("RetentionPolicy", "recordings", {}, { retentionDays: 365, enabled: true, confirmed: false }),
    setting("NetworkPolicy", "office", {}, { name: "HQ", sourceCidr: "2001:db8::/48" }),
    setting("TrunkOutboundAuth", "carrier", {}, { cleared: true, triggers: { a: secret, b: 1 } }),
  ],
  {
    pending_operations: [
      { type: "updating", resource: crm },
      { type: "updating", resource: { urn: `${prefix}::aws:s3/bucket:Bucket::logs` } },
    ],
  },
);

export const well = exported([crm]);
