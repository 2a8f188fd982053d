import { digest, recording, reportOf, stepOf, changeLines } from "./recorded";

test("an edit becomes sentences, the worst risks first", async () => {
  const report = await reportOf(recording("edited.digest"));
  expect(changeLines(report)).toEqual([
    "[deletes data] recordings are kept 90 instead of 365 days: recordings older than 90 days will be deleted; " +
      "`allowShortening: { from: 365, to: 90 }` allows the step",
    "[cuts a trunk] carrier-a loses its outbound credentials, which this provider cannot restore; " +
      "destroy will leave carrier-a as it is",
    "[cuts a trunk] carrier-b loses its outbound credentials once more (trigger year changed), which this provider cannot restore",
    "[rotates a secret] crm's signing secret will be rotated (trigger quarter changed): today's secret stops working",
    "[narrows access] office: the organization admits 203.0.113.0/25, half of today's range; " +
      "this may lock this pipeline out, as no `mustInclude` names its address; " +
      'office is given the name "HQ" instead of "Office"; office: destroy will leave it as last set',
    "[widens access] runners: the organization admits 2001:db8::/32, 65536 times today's range",
    "[weakens a guard] destroy will turn the retention policy of audit_events off: " +
      "what happens to the data then is up to the server",
    "conversations are kept 60 instead of 30 days",
  ]);
  expect(report.summary).toBe(
    "7 requests, 2 other changes: deletes data, cuts a trunk, rotates a secret, narrows access, widens access, weakens a guard",
  );
});

test("a create reports that it rotates, and that it may delete", async () => {
  expect(changeLines(await reportOf(recording("created.digest")))).toEqual([
    "[deletes data] audit_events are kept 2555 days: what has been kept longer until now may be deleted",
    "[deletes data] conversations are kept 30 days: what has been kept longer until now may be deleted",
    "[deletes data] recordings are kept 365 days: what has been kept longer until now may be deleted",
    "[cuts a trunk] carrier-b loses its outbound credentials, which this provider cannot restore",
    "[rotates a secret] crm's signing secret will be rotated on creation: today's secret stops working",
    "[narrows access, widens access] office: the organization admits 203.0.113.0/24: it is not known which range that replaces; " +
      'this may lock this pipeline out, as no `mustInclude` names its address; office is given the name "Office"',
    "[narrows access, widens access] runners: the organization admits 2001:db8::/48: it is not known which range that replaces",
    "billing is adopted: its signing secret stays as it is",
    "carrier-a is tracked: its outbound credentials stay as they are",
  ]);
});

test("a due request is reported with its date", async () => {
  expect(changeLines(await reportOf(recording("due.digest")))).toEqual([
    "[deletes data] conversations are set to 30 days again (due 2026-08-29): that replaces whatever was set elsewhere, " +
      "and what has been kept longer until now may be deleted",
    "[rotates a secret] crm's signing secret will be rotated (due 2026-11-20): today's secret stops working",
  ]);
});

const destroySentences = [
  "[deletes data] `onDelete`: the retention policy of conversations is turned off: " +
    "what happens to the data then is up to the server",
  "[cuts a trunk] `onDelete`: carrier-a loses its outbound credentials, which this provider cannot restore",
  "[forgets a secret, leaves things behind] billing's signing secret is no longer managed: " +
    "its only known copy, in the state, is deleted, while the webhook goes on using it",
  "[forgets a secret, leaves things behind] crm's signing secret is no longer managed: " +
    "its only known copy, in the state, is deleted, while the webhook goes on using it",
  "[narrows access] `onDelete`: office: the organization admits 203.0.113.0/25, half of today's range",
  "[leaves things behind] audit_events are no longer managed and stay as last set (2555 days)",
  "[leaves things behind] carrier-b is no longer managed and stays as it is",
  "[leaves things behind] recordings are no longer managed and stay as last set (365 days)",
  "[leaves things behind] runners is no longer managed and stays as last set (2001:db8::/48)",
];

test.each(["destroyed.digest", "emptied.digest"])("%s: a destroy reports what onDelete does", async (name) => {
  expect(changeLines(await reportOf(recording(name)))).toEqual(destroySentences);
});

test("another id is another object: the new one is set, the old one is left as it is, and its secret is lost", async () => {
  expect(changeLines(await reportOf(recording("replaced.digest")))).toEqual([
    "[rotates a secret, forgets a secret, leaves things behind] crm becomes `c0000000-0000-4000-8000-000000000003` " +
      "instead of `c0000000-0000-4000-8000-000000000001`: crm's signing secret will be rotated on creation: " +
      "today's secret stops working; the former crm's signing secret is no longer managed: " +
      "its only known copy, in the state, is deleted, while the webhook goes on using it",
    "[narrows access, widens access, leaves things behind] runners becomes `a0000000-0000-4000-8000-000000000003` " +
      "instead of `a0000000-0000-4000-8000-000000000002`: runners: the organization admits 2001:db8::/48: " +
      "it is not known which range that replaces; " +
      "the former runners is no longer managed and stays as last set (2001:db8::/48)",
  ]);
});

test("--replace of everything sends everything again, and leaves no object behind", async () => {
  const report = await reportOf(recording("made-anew.digest"));
  expect(report.risks).toEqual(["deletes data", "cuts a trunk", "rotates a secret", "narrows access", "widens access"]);
  expect(changeLines(report)).toContain(
    "[deletes data] recordings are set to 365 days again: that replaces whatever was set elsewhere, " +
      "and what has been kept longer until now may be deleted",
  );
  expect(changeLines(report)).toContain("billing is adopted: its signing secret stays as it is");
});

test.each(["made-anew-shorter.digest", "tainted.digest"])(
  "%s: both numbers are reported, because the guard cannot compare them",
  async (name) => {
    expect(changeLines(await reportOf(recording(name)))).toEqual([
      "[deletes data] recordings are kept 90 instead of 365 days: recordings older than 90 days will be deleted; " +
        "the guard for fewer days does not apply here, and no `allowShortening: { from: 365, to: 90 }` is declared",
    ]);
  },
);

test("a rotated secret that is adopted again is lost, also with the old initialSecret", async () => {
  for (const inputs of [{ rotateOnCreate: false }, { rotateOnCreate: false, initialSecret: "[secret]" }]) {
    const preview = digest("made-anew.digest");
    Object.assign(stepOf(preview, "org-crm").newState.inputs, inputs);
    expect((await reportOf(JSON.stringify(preview))).changes.map(({ text }) => text).join("\n")).toContain(
      "crm is adopted: its signing secret stays as it is, and its only known copy, in the state, is deleted; ",
    );
  }
});

test("edits that send nothing now are changes, and their later effect is reported", async () => {
  const report = await reportOf(recording("later.digest"));
  expect(changeLines(report)).toEqual([
    "[weakens a guard] `allowShortening: { from: 365, to: 90 }` of recordings allows a step that is not taken now: " +
      "a later change can take it without another check",
    "[weakens a guard] destroy will clear carrier-b's outbound credentials, which this provider cannot restore",
    "[weakens a guard] destroy will set audit_events to 30 days: data may be deleted then; " +
      "`allowShortening: { from: 2555, to: 30 }` allows the step",
    "[weakens a guard] runners: `mustInclude` no longer names 2001:db8::7: a range that leaves it out is no longer refused; " +
      "runners will be sent again every 7 days, for the first time 7 days after the update",
    "[weakens a guard] the retention policy of conversations will no longer be sent again by date (the next was due on 2026-08-29)",
    "billing's signing secret will be rotated every 30 days, for the first time 30 days after the update; " +
      "billing: the secret is looked for at `webhook.key` of an answer from now on",
    "crm's signing secret will be rotated every 30 days instead of every 90 days, next on 2026-09-21",
  ]);
  expect([report.requestCount, report.changeCount, report.editCount]).toEqual([0, 7, 7]);
  expect(report.summary).toBe("no requests, 7 other changes: weakens a guard");
});

test("a preview without unchanged resources says so, and does not prove that there are no edits", async () => {
  const [whole, cut] = [digest("later.digest"), digest("later.digest")];
  cut.steps = cut.steps.filter(({ op }) => op !== "same");
  expect((await reportOf(JSON.stringify(whole))).unseenCount).toBe(0);
  const report = await reportOf(JSON.stringify(cut));
  expect([report.unseenCount, report.editCount]).toEqual([11, 2]);
  expect((await reportOf(recording("edited-without-sames.digest"))).unseenCount).toBe(3);

  const quiet = { ...digest("unchanged.digest"), steps: [] };
  expect((await reportOf(JSON.stringify(quiet))).summary).toBe("no changes seen, 13 resources not shown");
});

test("a value that is not known before the update counts as a risk", async () => {
  expect(changeLines(await reportOf(recording("unknown.digest")))).toEqual([
    "[deletes data, weakens a guard] how long recordings are kept is not known yet: data may be deleted; " +
      "`allowShortening: { from: 365, to: 1 }` of recordings allows a step that is not taken now: " +
      "a later change can take it without another check",
    "[cuts a trunk] carrier-b may lose its outbound credentials once more (trigger year is not known yet), " +
      "which this provider cannot restore",
    "[rotates a secret] crm's signing secret may be rotated (trigger quarter is not known yet): " +
      "if so, today's secret stops working",
    "[narrows access, widens access] office: which range the organization admits is not known yet; " +
      "this may lock this pipeline out, as no `mustInclude` names its address; office: destroy will leave it as last set",
  ]);
});

test("a secret trigger may have changed, so it counts as a risk", async () => {
  expect(changeLines(await reportOf(recording("hidden.digest")))).toEqual([
    "[cuts a trunk] carrier-b may lose its outbound credentials once more (trigger year is a secret value), " +
      "which this provider cannot restore",
    "[rotates a secret] crm's signing secret may be rotated (trigger quarter is a secret value): " +
      "if so, today's secret stops working",
  ]);
});

test("a first rotation that depends on an unknown value counts as a risk", async () => {
  const created = recording("created.digest").replace('"rotateOnCreate": false', `"rotateOnCreate": "[secret]"`);
  expect(changeLines(await reportOf(created))).toContain(
    "[rotates a secret] billing's signing secret may be rotated on creation (whether it is to be is a secret value): " +
      "if so, today's secret stops working",
  );
});

test("after a lost answer no value counts as known", async () => {
  expect(changeLines(await reportOf(recording("uncertain.digest")))).toEqual([
    "[deletes data] conversations are kept 60 days (the last answer was lost): " +
      "what has been kept longer until now may be deleted",
    "[deletes data] recordings are kept 90 days (the last answer was lost): " +
      "what has been kept longer until now may be deleted; `allowShortening: { from: 365, to: 90 }` allows the step",
    "[rotates a secret] crm's signing secret will be rotated (trigger quarter changed, " +
      "the answer to its last rotation was lost): today's secret stops working",
  ]);
});

test.each(["unchanged.digest", "unchanged.events"])("%s: no changes", async (name) => {
  expect(await reportOf(recording(name))).toEqual({
    summary: "no changes",
    kind: "preview",
    complete: true,
    stack: "dev",
    project: "previews",
    addresses: ["http://127.0.0.1:8000"],
    requestCount: 0,
    changeCount: 0,
    editCount: 0,
    unseenCount: 0,
    risks: [],
    changes: [],
    others: [],
    errors: [],
    violations: [],
  });
});

test.each(["created", "edited", "hidden", "later"])(
  "%s: a preview's events give the same report as its document",
  async (name) => {
    expect(await reportOf(recording(`${name}.events`))).toEqual(await reportOf(recording(`${name}.digest`)));
  },
);

test("an up with a preview is reported from its own events", async () => {
  const { kind, changes, ...rest } = await reportOf(recording("up-with-preview.events"));
  const created = await reportOf(recording("created.digest"));
  expect(kind).toBe("update");
  expect(rest).toEqual({ ...created, kind: undefined, changes: undefined });
  expect(changes.map(({ text: _text, ...change }) => change)).toEqual(
    created.changes.map(({ text: _text, ...change }) => change),
  );
  expect(changeLines({ changes })).toContain(
    "[deletes data] recordings were set to be kept 365 days: what had been kept longer may have been deleted",
  );
});

test("resources of other providers are counted, components and the stack are not", async () => {
  const { others, changeCount, summary } = await reportOf(recording("emptied.digest"));
  expect(others).toEqual([{ type: "pulumi-nodejs:dynamic:Resource", counts: { delete: 2 } }]);
  expect(changeCount).toBe(11);
  expect(summary).toMatch(/^3 requests, 8 other changes: deletes data/);
});

test("a refused preview is incomplete, and says why", async () => {
  const { summary, complete, errors } = await reportOf(recording("refused.digest"));
  expect({ summary, complete, errors }).toEqual({
    summary: "the preview failed",
    complete: false,
    errors: [
      "pulumi-nodejs:dynamic/voiceplane:RetentionPolicy resource 'org-recordings' has a problem: retentionDays: " +
        "365 => 90 deletes recordings older than 90 days for good. If that is meant, add allowShortening: { from: 365, to: 90 }",
    ],
  });
});

test("a preview that a policy refused names the policies and their resources, and not their messages", async () => {
  const { complete, errors, violations } = await reportOf(recording("policies-refused.events"));
  expect({ complete, errors, violations }).toEqual({
    complete: false,
    errors: [],
    violations: [
      "the policy destroy-changes-nothing is violated by org-carrier-a: Pulumi's own output says why",
      "the policy destroy-changes-nothing is violated by org-conversations: Pulumi's own output says why",
      "the policy network-must-include is violated by org-office: Pulumi's own output says why",
      "the policy webhook-rotation is violated by org-billing: Pulumi's own output says why",
    ],
  });
  const advisory = recording("policies-refused.events").replaceAll('"mandatory"', '"advisory"');
  expect((await reportOf(advisory)).violations).toEqual([]);
});

test("a failed update reports what it began and what failed", async () => {
  const { kind, complete, summary, errors } = await reportOf(recording("lost-answers.events"));
  expect({ kind, complete }).toEqual({ kind: "update", complete: false });
  expect(summary).toBe(
    "the update failed; 7 requests, 2 other changes: " +
      "deletes data, cuts a trunk, rotates a secret, narrows access, widens access, weakens a guard",
  );
  expect(errors.map((error) => error.split(" got ")[0]).sort()).toEqual([
    "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
    "PUT /v1/retention-policies/conversations",
    "PUT /v1/retention-policies/recordings",
  ]);
});

test.each(["created", "edited", "due", "destroyed", "renamed", "replaced", "uncertain"])(
  "%s: the native types give the same sentences",
  async (name) => {
    const dynamic = recording(`${name}.digest`);
    const native = dynamic.replaceAll("pulumi-nodejs:dynamic/voiceplane:", "voiceplane:index:");
    expect(native).not.toBe(dynamic);
    expect(await reportOf(native)).toEqual(await reportOf(dynamic));
  },
);

test("with several organizations every sentence names its organization", async () => {
  const edited = digest("edited.digest");
  const text = JSON.stringify(edited.steps.filter(({ urn }) => /::org-(office|recordings)$/.test(urn)));
  const other = text
    .replaceAll('"account":"example"', '"account":"eu"')
    .replaceAll("Organization::org", "Organization::eu")
    .replaceAll("::org-", "::eu-");
  const steps = [...(JSON.parse(text) as object[]), ...(JSON.parse(other) as object[])];
  const lines = (await reportOf(JSON.stringify({ ...edited, steps }))).changes.map((change) => change.text);
  expect(lines.map((line) => line.split(": the organization")[0]?.split(" kept ")[0])).toEqual([
    "eu: recordings are",
    "example: recordings are",
    "eu: eu-office",
    "example: org-office",
  ]);
});

test("a secret trigger looks the same in events whether it changed or not, so it is a risk", async () => {
  const mark = '{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"}';
  const events = recording("hidden.events");
  expect(events).toContain(`"triggers":{"quarter":${mark}}`);
  const before = events.replaceAll('"triggers":{"quarter":"2026-Q3"}', `"triggers":{"quarter":${mark}}`);
  const sealed = before.replaceAll('"ciphertext":"[secret]"', '"ciphertext":"v1:sealed"');
  for (const text of [before, sealed])
    expect(changeLines(await reportOf(text))).toEqual(changeLines(await reportOf(events)));
});

test.each([".", "", "\ud800"])("%j, an id that no request can have, counts as the worst risk", async (id) => {
  const edited = digest("edited.digest");
  for (const { oldState, newState } of edited.steps.filter(({ urn }) => urn.endsWith("::org-crm"))) {
    if (oldState) oldState.outputs.webhookId = id;
    if (newState) newState.inputs.webhookId = id;
  }
  expect(changeLines(await reportOf(JSON.stringify(edited)))).toContain(
    "[rotates a secret] crm: what happens cannot be read from these values",
  );
});

test("values of another resource count as this resource's risk", async () => {
  const edited = digest("edited.digest");
  for (const { oldState, newState } of edited.steps) {
    if (oldState?.type.includes("/voiceplane:")) oldState.outputs = {};
    if (newState?.type.includes("/voiceplane:")) newState.inputs = {};
  }
  const report = await reportOf(JSON.stringify(edited));
  expect(report.risks).toEqual(["deletes data", "cuts a trunk", "rotates a secret", "narrows access", "widens access"]);
  expect(changeLines(report)).toContain("[rotates a secret] crm: what happens cannot be read from these values");
});
