/** One object under another name, or in another resource. For the engine it is a new resource. */
import { digest, recording, reportOf, stepOf, changeLines, type Digest, type State } from "./recorded";

const gone = "the only copy of it that is kept, in the state, is thrown away, while the webhook goes on using it";

test("a rename is compared with the old resource, its delete sends nothing, and the report prints the line that avoids it", async () => {
  const urn = (type: string, name: string) =>
    `urn:pulumi:dev::previews::voiceplane:index:Organization$pulumi-nodejs:dynamic/voiceplane:${type}::${name}`;
  expect(changeLines(await reportOf(recording("renamed-entries.digest")))).toEqual([
    "[cuts a trunk] trunk loses its outbound credentials once more, which this provider cannot restore",
    "[rotates a secret] payments' signing secret will be rotated on creation: today's secret stops working",
    "carrier-b is renamed to trunk, and nothing is sent for the old name: " +
      `\`pulumi state rename '${urn("TrunkOutboundAuth", "org-carrier-b")}' org-trunk\` before the update ` +
      "saves the request, which clears the trunk once more where it is declared as cleared",
    "crm is renamed to payments, and nothing is sent for the old name: " +
      `\`pulumi state rename '${urn("WebhookSecret", "org-crm")}' org-payments\` before the update ` +
      "saves the rotation, and keeps the secret",
  ]);
});

test("resources that leave an organization: no such line exists, and the report names an alias", async () => {
  expect(changeLines(await reportOf(recording("renamed.digest")))).toEqual([
    "[deletes data] `onDelete`: the retention policy of conversations is turned off: " +
      "what happens to the data then is up to the server",
    "[deletes data] recordings are kept 90 instead of 365 days: recordings older than 90 days will be deleted; " +
      "`allowShortening: { from: 365, to: 90 }` allows the step",
    "[cuts a trunk] `onDelete`: carrier-a loses its outbound credentials, which this provider cannot restore",
    "[cuts a trunk] line loses its outbound credentials once more, which this provider cannot restore",
    "[rotates a secret] payments' signing secret will be rotated on creation: today's secret stops working; " +
      "payments' signing secret will no longer be rotated by date (the next was due on 2026-11-20)",
    `[forgets a secret, leaves things behind] billing's signing secret is no longer managed: ${gone}`,
    "[narrows access, widens access] moved is set again: that replaces whatever was set elsewhere; " +
      "moved: destroy will leave it as last set",
    "[leaves things behind] audit_events are no longer managed and stay as last set (2555 days)",
    "[leaves things behind] runners is no longer managed and stays as last set (2001:db8::/48)",
    "carrier-b is renamed to line, and nothing is sent for the old name: an alias in the program saves the request, " +
      "which clears the trunk once more where it is declared as cleared",
    "crm is renamed to payments, and nothing is sent for the old name: an alias in the program saves the rotation, " +
      "and keeps the secret",
    "office is renamed to moved, and nothing is sent for the old name: an alias in the program saves the request",
    "recordings is renamed to kept, and nothing is sent for the old name: an alias in the program saves the request",
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
  return changeLines(await reportOf(JSON.stringify(preview)));
}

test("a rename that adopts loses the secret", async () => {
  const [first] = await renameOfCrm((_old, { inputs }) => (inputs.rotateOnCreate = false));
  expect(first).toBe(
    "[forgets a secret] payments is adopted: its signing secret stays as it is, " +
      "and the only copy of it that is kept, in the state, is thrown away; " +
      "if payments is made anew, as by `--replace` or under another name, its signing secret stays as it is",
  );
});

test("an id in other letter case is the same object", async () => {
  const lines = await renameOfCrm((_old, { inputs }) => (inputs.webhookId = String(inputs.webhookId).toUpperCase()));
  expect(lines[1]).toContain("crm is renamed to payments");
});

test.each(["it's", "$(touch x)", "a b", "-y", "a`b"])(
  "no line is printed for a name that a shell may misread: %j",
  async (name) => {
    const lines = await renameOfCrm((_old, _fresh, { steps }) => {
      for (const step of steps) step.urn = step.urn.replace("::org-payments", `::${name}`);
    });
    expect(lines[1]).toMatch(
      /^crm is renamed to .*: an alias in the program saves the rotation, and keeps the secret$/,
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
  expect(changeLines(await reportOf(JSON.stringify(preview)))).toEqual([
    "[deletes data] recordings are kept 90 instead of 365 days: recordings older than 90 days will be deleted; " +
      "the guard for fewer days does not hold here, and no `allowShortening: { from: 365, to: 90 }` is declared",
    "recordings is renamed to recordings-2, and nothing is sent for the old name: " +
      `\`pulumi state rename '${step.urn}' org-recordings-2\` before the update saves the request`,
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
  expect(changeLines(await reportOf(JSON.stringify(preview)))).toEqual([
    "[deletes data] audit_events are kept 365 instead of 2555 days: audit_events older than 365 days will be deleted; " +
      "the guard for fewer days does not hold here, and no `allowShortening: { from: 2555, to: 365 }` is declared",
    "recordings are kept 2555 instead of 365 days",
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
  expect(changeLines(await reportOf(JSON.stringify(preview)))).toEqual([
    "[deletes data, leaves things behind] audit_events are kept 365 instead of 2555 days: " +
      "audit_events older than 365 days will be deleted; " +
      "the guard for fewer days does not hold here, and no `allowShortening: { from: 2555, to: 365 }` is declared; " +
      "recordings are no longer managed and stay as last set (365 days)",
    "audit_events: declared elsewhere in the program, and nothing is sent for it here",
  ]);
});

test("another organization at the same address is another one, while the first keeps its name", async () => {
  const report = await reportOf(recording("another-organization.digest"));
  expect(changeLines(report)[0]).toBe(
    "[deletes data] eu: recordings are kept 30 days: what has been kept longer until now may be deleted",
  );
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
        Object.assign(values, { account: "eu", address: addresses.old });
      }
      Object.assign(newState.inputs, { account: "europe", address: addresses.fresh });
      oldState.provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::eu::1";
      newState.provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::europe::2";
      return [
        { op: "create", urn: fresh, newState },
        { op: "delete", urn, oldState },
      ];
    });
    return preview;
  }
  const lines = async (preview: Digest) => (await reportOf(JSON.stringify(preview))).changes.map(({ text }) => text);

  test("at the same address keeps what is declared, and onDelete does nothing", async () => {
    const texts = await lines(moved({ old: address, fresh: address }));
    expect(texts.join("\n")).not.toContain("`onDelete`");
    expect(texts).toContain("eu: carrier-a is renamed to europe-carrier-a, and nothing is sent for the old name");
    expect(texts).toContain(
      "europe: conversations are set to 30 days again: that replaces whatever was set elsewhere, " +
        "and what has been kept longer until now may be deleted",
    );
  });

  test("at the same address, which only the provider's own state has, does too", async () => {
    const preview = moved({ fresh: address });
    const provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::eu";
    const inputs = { "voiceplane:baseUrl": `${address}/`, "voiceplane:label": "eu" };
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
      "eu: `onDelete`: carrier-a loses its outbound credentials, which this provider cannot restore",
    );
  });
});
