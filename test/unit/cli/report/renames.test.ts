/** One object under another name, or in another resource. For the engine it is a new resource. */
import {
  asUpdate,
  changeLines,
  digest,
  linesOf,
  recording,
  reportOf,
  stepOf,
  type Digest,
  type State,
} from "../../../support/recorded";

const gone = "deletes its only known copy, in the state, while the webhook keeps using it";

test("a rename is compared with the old resource, its delete sends nothing, and the report prints the line that avoids it", async () => {
  const urn = (type: string, name: string) =>
    `urn:pulumi:dev::previews::voiceplane:index:Organization$pulumi-nodejs:dynamic/voiceplane:${type}::${name}`;
  expect(await linesOf(recording("renamed-entries.digest"))).toEqual([
    "[cuts a trunk] trunk: clears its outbound credentials once more, which this provider cannot restore",
    "[rotates a secret] payments: rotates its signing secret on creation: the old secret stops working",
    "carrier-b: renamed to trunk, and sends nothing for the old name: " +
      `run \`pulumi state rename '${urn("TrunkOutboundAuth", "org-carrier-b")}' org-trunk\` before the update ` +
      "to avoid clearing the trunk once more",
    "crm: renamed to payments, and sends nothing for the old name: " +
      `run \`pulumi state rename '${urn("WebhookSecret", "org-crm")}' org-payments\` before the update ` +
      "to avoid the rotation and to keep the secret in the state",
  ]);
});

test("resources that leave an organization: no such line exists, and the report names an alias", async () => {
  expect(await linesOf(recording("renamed.digest"))).toEqual([
    "[deletes data] conversations: by `onDelete`, turns the policy off: " +
      "what happens to the data is up to the server",
    "[deletes data] recordings: 365 → 90 days; deletes what is older; " +
      "`allowShortening: { from: 365, to: 90 }` allows the step",
    "[cuts a trunk] carrier-a: by `onDelete`, clears its outbound credentials, which this provider cannot restore",
    "[cuts a trunk] line: clears its outbound credentials once more, which this provider cannot restore",
    "[rotates a secret, weakens a guard] payments: rotates its signing secret on creation: the old secret stops working; " +
      "no longer rotated by date (the next was due on 2026-11-20)",
    `[forgets a secret, leaves things behind] billing: signing secret no longer managed; ${gone}`,
    "[narrows access, widens access] moved: sends 203.0.113.0/24 again; replaces whatever was set elsewhere; " +
      "destroy will leave it as last set",
    "[leaves things behind] audit_events: no longer managed, left as last set (2555 days)",
    "[leaves things behind] runners: no longer managed, left as last set (2001:db8::/48)",
    // Its triggers change, so the request is sent under either name.
    "carrier-b: renamed to line, and sends nothing for the old name",
    "crm: renamed to payments, and sends nothing for the old name: add an alias in the program " +
      "to keep the secret in the state",
    "office: renamed to moved, and sends nothing for the old name: add an alias in the program to avoid the request",
    "recordings: renamed to kept, and sends nothing for the old name: add an alias in the program " +
      "to keep the guard for fewer days",
  ]);
});

/** The recorded rename of crm, with edited states. */
async function renameOfCrm(change: (old: State, fresh: State, preview: Digest) => void): Promise<string[]> {
  const preview = digest("renamed-entries.digest");
  preview.steps = preview.steps.filter(({ urn }) => /::org-(crm|payments)$/.test(urn));
  const [old, fresh] = ["::org-crm", "::org-payments"].map((name) =>
    preview.steps.find(({ urn }) => urn.endsWith(name)),
  );
  if (!old?.oldState || !fresh?.newState) throw new Error("no rename of crm was recorded");
  change(old.oldState, fresh.newState, preview);
  return linesOf(preview);
}

test("a rename that adopts loses the secret", async () => {
  const [first] = await renameOfCrm((_old, { inputs }) => (inputs.onCreate = "adopt"));
  expect(first).toBe(
    "[forgets a secret] payments: adopted, with its signing secret left as it is; " +
      "deletes its only known copy, in the state; " +
      "if it is replaced, for example by `--replace`, or renamed, its signing secret stays as it is",
  );
});

test("an id in other letter case is the same object", async () => {
  const lines = await renameOfCrm((_old, { inputs }) => (inputs.webhookId = String(inputs.webhookId).toUpperCase()));
  expect(lines[1]).toContain("crm: renamed to payments");
});

test.each(["it's", "$(touch x)", "a b", "-y", "a`b"])(
  "no line is printed for a name that a shell may misread: %j",
  async (name) => {
    const lines = await renameOfCrm((_old, _fresh, { steps }) => {
      for (const step of steps) step.urn = step.urn.replace("::org-payments", `::${name}`);
    });
    expect(lines[1]).toMatch(
      /^crm: renamed to .*: add an alias in the program to avoid the rotation and to keep the secret in the state$/,
    );
  },
);

test("a renamed retention policy reports both numbers, and that the guard does not compare them", async () => {
  const preview = digest("renamed-entries.digest");
  const step = stepOf(digest("unchanged.digest"), "org-recordings");
  const inputs = { ...step.newState.inputs, retentionDays: 90 };
  preview.steps = [
    { op: "create", urn: `${step.urn}-2`, newState: { ...step.newState, inputs } },
    { op: "delete", urn: step.urn, oldState: step.oldState },
  ];
  expect(await linesOf(preview)).toEqual([
    "[deletes data] recordings: 365 → 90 days; deletes what is older; " +
      "the guard for fewer days does not apply here, and no `allowShortening: { from: 365, to: 90 }` is declared",
    "recordings: renamed to recordings-2, and sends nothing for the old name: " +
      `run \`pulumi state rename '${step.urn}' org-recordings-2\` before the update to keep the guard for fewer days`,
  ]);
});

test("two policies that swap their kinds are each compared with the other's old values", async () => {
  const preview = digest("replaced.digest");
  const [a, b] = [stepOf(preview, "org-recordings"), stepOf(preview, "org-audit_events")];
  [a.newState.inputs.resource, b.newState.inputs.resource] = ["audit_events", "recordings"];
  [a.newState.inputs.retentionDays, b.newState.inputs.retentionDays] = [365, 2555];
  preview.steps = [
    { ...a, op: "replace" },
    { ...b, op: "replace" },
  ];
  expect(await linesOf(preview)).toEqual([
    "[deletes data] recordings, now `audit_events` (formerly audit_events) instead of `recordings`: " +
      "2555 → 365 days; deletes what is older; " +
      "the guard for fewer days does not apply here, and no `allowShortening: { from: 2555, to: 365 }` is declared",
    "audit_events, now `recordings` (formerly recordings) instead of `audit_events`: " +
      "365 → 2555 days; audit_events and recordings change places: " +
      `run \`pulumi state rename '${b.urn}' org-audit_events-moving\`, ` +
      `then \`pulumi state rename '${a.urn}' org-audit_events\`, ` +
      `then \`pulumi state rename '${b.urn}-moving' org-recordings\` before the update to keep the guard for fewer days`,
  ]);
});

test("a policy that takes the kind of a removed one is compared with it", async () => {
  const preview = digest("replaced.digest");
  const [a, b] = [stepOf(preview, "org-recordings"), stepOf(preview, "org-audit_events")];
  a.newState.inputs.resource = "audit_events";
  preview.steps = [
    { ...a, op: "replace" },
    { op: "delete", urn: b.urn, oldState: b.oldState },
  ];
  expect(await linesOf(preview)).toEqual([
    "[deletes data, leaves things behind] recordings, now `audit_events` (formerly audit_events) instead of `recordings`: " +
      "2555 → 365 days; " +
      "deletes what is older; " +
      "the guard for fewer days does not apply here, and no `allowShortening: { from: 2555, to: 365 }` is declared; " +
      "recordings: no longer managed, left as last set (365 days)",
    "audit_events: declared elsewhere in the program; sends nothing here",
  ]);
});

test("a trunk that is only tracked sends nothing, so a rename saves nothing", async () => {
  const preview = digest("renamed-entries.digest");
  preview.steps = preview.steps.filter(({ urn }) => /::org-(carrier-b|trunk)$/.test(urn));
  for (const { oldState, newState } of preview.steps) {
    if (oldState) oldState.outputs.cleared = false;
    if (newState) newState.inputs.cleared = false;
  }
  expect(await linesOf(preview)).toContain("carrier-b: renamed to trunk, and sends nothing for the old name");
});

const webhookUrn = (name: string): string =>
  `urn:pulumi:dev::previews::voiceplane:index:Organization$pulumi-nodejs:dynamic/voiceplane:WebhookSecret::org-${name}`;
const [crm, billing] = ["`c0000000-0000-4000-8000-000000000001`", "`c0000000-0000-4000-8000-000000000002`"];

const swap =
  "billing and crm change places: " +
  `run \`pulumi state rename '${webhookUrn("billing")}' org-billing-moving\`, ` +
  `then \`pulumi state rename '${webhookUrn("crm")}' org-billing\`, ` +
  `then \`pulumi state rename '${webhookUrn("billing-moving")}' org-crm\` ` +
  "before the update to avoid the rotation and to keep the secret in the state";

test("two webhooks that swap their names: each is called by both names, and three lines save the rotation and the secrets", async () => {
  expect(await linesOf(recording("swapped.digest"))).toEqual([
    `[rotates a secret] billing, now ${crm} (formerly crm) instead of ${billing}: ` +
      `rotates its signing secret on creation: the old secret stops working; ${swap}`,
    `crm, now ${billing} (formerly billing) instead of ${crm}: adopted, with its signing secret left as it is`,
  ]);
});

test("a swap is the same in any order of the steps", async () => {
  const preview = digest("swapped.digest");
  preview.steps.reverse();
  expect(await reportOf(preview)).toEqual(await reportOf(recording("swapped.digest")));
});

test("a finished swap has no line to run", async () => {
  const lines = await linesOf(asUpdate(digest("swapped.digest")));
  expect(lines).toEqual([
    `[rotates a secret] billing, now ${crm} (formerly crm) instead of ${billing}: ` +
      "rotates its signing secret on creation: the old secret stops working; billing and crm change places",
    `crm, now ${billing} (formerly billing) instead of ${crm}: adopted, with its signing secret left as it is`,
  ]);
});

test("a temporary name that a resource has is not taken", async () => {
  const preview = digest("swapped.digest");
  const { urn, ...step } = stepOf(preview, "org-runners");
  preview.steps.push({ ...step, urn: webhookUrn("billing-moving") });
  expect(urn).not.toBe(webhookUrn("billing-moving"));
  expect((await linesOf(preview)).join("\n")).toContain(`${webhookUrn("billing")}' org-billing-moving-moving\``);
});

test("a swap with a name that a shell may misread has no line", async () => {
  const text = recording("swapped.digest").replaceAll("org-billing", "org-$(touch x)");
  expect((await linesOf(text)).join("\n")).toContain(
    "$(touch x) and crm change places: rename them in the state before the update, " +
      "one of them by way of a temporary name, to avoid the rotation and to keep the secret in the state",
  );
});

/** The recorded steps of three policies, each of which declares the kind of another one. */
function kindsMoved(moves: Readonly<Record<string, string>>): Digest {
  const preview = digest("replaced.digest");
  preview.steps = Object.entries(moves).map(([from, to]) => {
    const step = stepOf(preview, `org-${from}`);
    const { retentionDays } = stepOf(preview, `org-${to}`).newState.inputs;
    const inputs = { ...step.newState.inputs, resource: to, retentionDays };
    return { ...step, op: "replace", newState: { ...step.newState, inputs } };
  });
  return preview;
}

const policyUrn = (name: string): string => webhookUrn(name).replace("WebhookSecret", "RetentionPolicy");

test("three policies that change places in a circle need four lines", async () => {
  const circle = kindsMoved({
    recordings: "conversations",
    conversations: "audit_events",
    audit_events: "recordings",
  });
  const lines = (await linesOf(circle)).join("\n");
  expect(lines).toContain(
    "audit_events, conversations and recordings change places: " +
      `run \`pulumi state rename '${policyUrn("audit_events")}' org-audit_events-moving\`, ` +
      `then \`pulumi state rename '${policyUrn("recordings")}' org-audit_events\`, ` +
      `then \`pulumi state rename '${policyUrn("conversations")}' org-recordings\`, ` +
      `then \`pulumi state rename '${policyUrn("audit_events-moving")}' org-conversations\` before the update to avoid the request`,
  );
  expect(lines.match(/pulumi state rename/g)).toHaveLength(4);
});

test("a name that is freed by one rename and taken by another: the freeing one comes first", async () => {
  const preview = digest("renamed-entries.digest");
  const [deleted, created] = ["org-crm", "org-payments"].map((name) =>
    preview.steps.find(({ urn }) => urn.endsWith(`::${name}`)),
  );
  const other = stepOf(digest("unchanged.digest"), "org-billing");
  if (!deleted?.oldState || !created?.newState) throw new Error("no rename of crm was recorded");
  preview.steps = [
    { op: "replace", urn: deleted.urn, oldState: deleted.oldState, newState: other.newState },
    { op: "delete", urn: other.urn, oldState: other.oldState },
    created,
  ];
  const lines = await linesOf(preview);
  expect(lines).toContain(
    "billing: renamed to crm, crm to payments, and sends nothing for the old name: " +
      `run \`pulumi state rename '${webhookUrn("crm")}' org-payments\`, ` +
      `then \`pulumi state rename '${webhookUrn("billing")}' org-crm\` ` +
      "before the update to avoid the rotation and to keep the secret in the state",
  );
  expect(lines.join("\n")).toContain(
    `crm, now ${billing} (formerly billing) instead of ${crm}: adopted, with its signing secret left as it is; ` +
      "the former crm renamed to payments",
  );
});

test("another organization at the same address is another one, while the first keeps its name", async () => {
  const report = await reportOf(recording("another-organization.digest"));
  expect(changeLines(report)[0]).toBe("[deletes data] eu: recordings: sets 30 days; may delete what is older");
});

describe("an organization with another name", () => {
  const address = "https://voice.example.com";

  /** Every resource of the recorded stack moves to a provider of another name. */
  function moved(addresses: { old?: string; fresh: string }): Digest {
    const preview = digest("replaced.digest");
    preview.steps = ["org-conversations", "org-carrier-a"].flatMap((name) => {
      const { urn, oldState, newState } = stepOf(preview, name);
      const fresh = urn.replace("::org-", "::europe-");
      for (const values of [oldState.inputs, oldState.outputs]) {
        Object.assign(values, { organization: "eu", address: addresses.old });
      }
      Object.assign(newState.inputs, { organization: "europe", address: addresses.fresh });
      oldState.provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::eu::1";
      newState.provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::europe::2";
      return [
        { op: "create", urn: fresh, newState },
        { op: "delete", urn, oldState },
      ];
    });
    return preview;
  }
  const lines = async (preview: Digest) => (await reportOf(preview)).changes.map(({ text }) => text);

  test("at the same address keeps what is declared, and onDelete does nothing", async () => {
    const texts = await lines(moved({ old: address, fresh: address }));
    expect(texts.join("\n")).not.toContain("`onDelete`");
    expect(texts[0]).toBe(
      "the organization eu renamed to europe, which makes it another organization: the objects of eu stay as they are " +
        "and are no longer managed, every setting is sent to europe (PUT, PATCH, DELETE)",
    );
    expect(texts).toContain("eu: carrier-a: renamed to europe-carrier-a, and sends nothing for the old name");
    expect(texts).toContain(
      "europe: conversations: sends 30 days again; replaces whatever was set elsewhere " +
        "and may delete what is older",
    );
  });

  test("at the same address, which only the provider's own state has, does too", async () => {
    const preview = moved({ fresh: address });
    const provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::eu";
    const inputs = { "voiceplane:baseUrl": `${address}/`, "voiceplane:providerName": "eu" };
    preview.steps.push({
      op: "delete",
      urn: provider,
      oldState: { type: "pulumi:providers:pulumi-nodejs", inputs, outputs: inputs },
    });
    expect((await lines(preview)).join("\n")).not.toContain("`onDelete`");
  });

  test("at another address is another organization, and onDelete acts", async () => {
    const texts = await lines(moved({ old: address, fresh: "https://voice.example.net" }));
    expect(texts).toContain(
      "eu: carrier-a: by `onDelete`, clears its outbound credentials, which this provider cannot restore",
    );
  });
});
