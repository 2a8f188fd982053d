import {
  asUpdate,
  changeLines,
  digest,
  linesOf,
  recording,
  reportOf,
  stepOf,
  type DigestStep,
} from "../../../support/recorded";

test("a create reports that it rotates, and that it may delete", async () => {
  expect(await linesOf(recording("created.digest"))).toEqual([
    "[deletes data] audit_events: sets 2555 days; may delete what is older",
    "[deletes data] conversations: sets 30 days; may delete what is older",
    "[deletes data] recordings: sets 365 days; may delete what is older",
    "[cuts a trunk] carrier-b: clears its outbound credentials, which this provider cannot restore",
    "[rotates a secret] crm: rotates its signing secret on creation: the old secret stops working",
    "[narrows access, widens access] office: admits 203.0.113.0/24; replaces a range that is not known; " +
      'may lock this pipeline out, as no `mustInclude` names its address; sets the name "Office"',
    "[narrows access, widens access] runners: admits 2001:db8::/48; replaces a range that is not known",
    "billing: adopted, with its signing secret left as it is",
    "carrier-a: tracked, with its outbound credentials left as they are",
  ]);
});

const destroySentences = [
  "[deletes data] conversations: by `onDelete`, turns the policy off: " +
    "what happens to the data is up to the server",
  "[cuts a trunk] carrier-a: by `onDelete`, clears its outbound credentials, which this provider cannot restore",
  "[forgets a secret, leaves things behind] billing: signing secret no longer managed; " +
    "deletes its only known copy, in the state, while the webhook keeps using it",
  "[forgets a secret, leaves things behind] crm: signing secret no longer managed; " +
    "deletes its only known copy, in the state, while the webhook keeps using it",
  "[narrows access] office: by `onDelete`, admits 203.0.113.0/25, half of 203.0.113.0/24",
  "[leaves things behind] audit_events: no longer managed, left as last set (2555 days)",
  "[leaves things behind] carrier-b: no longer managed, left as it is",
  "[leaves things behind] recordings: no longer managed, left as last set (365 days)",
  "[leaves things behind] runners: no longer managed, left as last set (2001:db8::/48)",
];

test.each(["destroyed.digest", "emptied.digest"])("%s: a destroy reports what onDelete does", async (name) => {
  expect(await linesOf(recording(name))).toEqual(destroySentences);
});

test("another id is another object: the new one is set, the old one is left as it is, and its secret is lost", async () => {
  expect(await linesOf(recording("replaced.digest"))).toEqual([
    "[rotates a secret, forgets a secret, leaves things behind] crm, now `c0000000-0000-4000-8000-000000000003` " +
      "instead of `c0000000-0000-4000-8000-000000000001`: rotates its signing secret on creation: " +
      "the old secret stops working; the former crm: signing secret no longer managed; " +
      "deletes its only known copy, in the state, while the webhook keeps using it",
    "[narrows access, widens access, leaves things behind] runners, now `a0000000-0000-4000-8000-000000000003` " +
      "instead of `a0000000-0000-4000-8000-000000000002`: admits 2001:db8::/48; " +
      "replaces a range that is not known; " +
      "the former runners: no longer managed, left as last set (2001:db8::/48)",
  ]);
});

test("--replace of everything sends everything again, and leaves no object behind", async () => {
  const report = await reportOf(recording("made-anew.digest"));
  expect(report.risks).toEqual(["deletes data", "cuts a trunk", "rotates a secret", "narrows access", "widens access"]);
  expect(changeLines(report)).toContain(
    "[deletes data] recordings: sends 365 days again; replaces whatever was set elsewhere " +
      "and may delete what is older",
  );
  expect(changeLines(report)).toContain("billing: adopted, with its signing secret left as it is");
});

test.each(["made-anew-shorter.digest", "tainted.digest"])(
  "%s: both numbers are reported, because the guard cannot compare them",
  async (name) => {
    expect(await linesOf(recording(name))).toEqual([
      "[deletes data] recordings: 365 → 90 days; deletes what is older; " +
        "the guard for fewer days does not apply here, and no `allowShortening: { from: 365, to: 90 }` is declared",
    ]);
  },
);

test("a rotated secret that is adopted again is lost, also with the old initialSecret", async () => {
  for (const inputs of [{ onCreate: "adopt" }, { onCreate: "adopt", initialSecret: "[secret]" }]) {
    const preview = digest("made-anew.digest");
    Object.assign(stepOf(preview, "org-crm").newState.inputs, inputs);
    expect((await reportOf(preview)).changes.map(({ text }) => text).join("\n")).toContain(
      "crm: adopted, with its signing secret left as it is; deletes its only known copy, in the state; ",
    );
  }
});

test("edits that send nothing now are changes, and their later effect is reported", async () => {
  const report = await reportOf(recording("later.digest"));
  expect(changeLines(report)).toEqual([
    "[weakens a guard] audit_events: destroy will set 30 days, which may delete data; " +
      "`allowShortening: { from: 2555, to: 30 }` allows the step",
    "[weakens a guard] carrier-b: destroy will clear its outbound credentials, which this provider cannot restore",
    "[weakens a guard] conversations: no longer sent again by date (the next was due on 2026-08-29)",
    "[weakens a guard] recordings: `allowShortening: { from: 365, to: 90 }` allows a step that this change does not take: " +
      "a later change can take it without another check",
    "[weakens a guard] runners: `mustInclude` no longer names 2001:db8::7: nothing protects 2001:db8::7 now; " +
      "sent again every 7 days, for the first time 7 days after the update",
    "billing: rotated every 30 days, for the first time 30 days after the update; " +
      "looks for the secret at `webhook.key` of an answer from now on",
    "crm: rotated every 30 days instead of every 90 days, next on 2026-09-21",
  ]);
  expect([report.requestCount, report.changeCount, report.editCount]).toEqual([0, 7, 7]);
  expect(report.summary).toBe("no requests, 7 other changes: weakens a guard");
});

test("a value that is not known before the update counts as a risk", async () => {
  expect(await linesOf(recording("unknown.digest"))).toEqual([
    "[deletes data, weakens a guard] recordings: the number of days is not known yet; may delete data; " +
      "`allowShortening: { from: 365, to: 1 }` allows a step that this change does not take: " +
      "a later change can take it without another check",
    "[cuts a trunk] carrier-b: may clear its outbound credentials once more (trigger year is not known yet), " +
      "which this provider cannot restore",
    "[rotates a secret] crm: may rotate its signing secret (trigger quarter is not known yet): " +
      "if so, the old secret stops working",
    "[narrows access, widens access] office: which range it admits is not known yet; " +
      "may lock this pipeline out, as no `mustInclude` names its address; destroy will leave it as last set",
  ]);
});

test("a secret trigger may have changed, so it counts as a risk", async () => {
  expect(await linesOf(recording("hidden.digest"))).toEqual([
    "[cuts a trunk] carrier-b: may clear its outbound credentials once more (trigger year is a secret value), " +
      "which this provider cannot restore",
    "[rotates a secret] crm: may rotate its signing secret (trigger quarter is a secret value): " +
      "if so, the old secret stops working",
  ]);
});

test("a first rotation that depends on an unknown value counts as a risk", async () => {
  const created = recording("created.digest").replace('"onCreate":"adopt"', '"onCreate":"[secret]"');
  expect(await linesOf(created)).toContain(
    "[rotates a secret] billing: may rotate its signing secret on creation (`onCreate` is a secret value): " +
      "if so, the old secret stops working",
  );
});

test("after a lost answer no value counts as known", async () => {
  expect(await linesOf(recording("uncertain.digest"))).toEqual([
    "[deletes data] conversations: sets 60 days (its last request may have been carried out); " +
      "may delete what is older",
    "[deletes data] recordings: sets 90 days (its last request may have been carried out); " +
      "may delete what is older; `allowShortening: { from: 365, to: 90 }` allows the step",
    "[rotates a secret] crm: rotates its signing secret (trigger quarter changed, " +
      "its last rotation may have been carried out): the old secret stops working",
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
    risks: [],
    changes: [],
    others: [],
    programChanges: [],
    errors: [],
    violations: [],
  });
});

test("an up with a preview is reported from its own events, in the preview's sentences", async () => {
  const { kind, ...rest } = await reportOf(recording("up-with-preview.events"));
  const { kind: _kind, ...created } = await reportOf(recording("created.digest"));
  expect(kind).toBe("update");
  expect(rest).toEqual(created);
});

test.each(["created", "edited", "due", "hidden", "replaced", "moved-edited", "uncertain", "destroyed"])(
  "%s: an update has the sentences of its preview",
  async (name) => {
    expect(await linesOf(asUpdate(digest(`${name}.digest`)))).toEqual(await linesOf(recording(`${name}.digest`)));
  },
);

test("resources of other providers are counted, components and the stack are not", async () => {
  const { others, changeCount, summary } = await reportOf(recording("emptied.digest"));
  expect(others).toEqual([{ type: "pulumi-nodejs:dynamic:Resource", counts: { delete: 2 } }]);
  expect(changeCount).toBe(11);
  expect(summary).toMatch(/^3 requests, 8 other changes: deletes data/);
});

test("a preview that a policy refused names the policies, their resources and their reasons", async () => {
  const { complete, errors, violations } = await reportOf(recording("policies-refused.events"));
  expect({ complete, errors, violations }).toEqual({
    complete: false,
    errors: [],
    violations: [
      "the policy destroy-changes-nothing is violated by carrier-a: Removing a resource, or destroying the stack, switches " +
        'nothing off. onDelete is "clear": declare "retain".',
      "the policy destroy-changes-nothing is violated by conversations: Removing a resource, or destroying the stack, " +
        'switches nothing off. onDelete is "disable": declare "retain".',
      "the policy network-must-include is violated by office: A range names the addresses that it has to contain, so that a " +
        "wrong one locks nobody out. mustInclude is missing: list the addresses that must stay in sourceCidr, such as " +
        '["203.0.113.7"].',
      "the policy webhook-rotation is violated by billing: A webhook's secret is rotated regularly. rotateAfter is missing: " +
        'declare "90d" or less.',
    ],
  });
  const advisory = recording("policies-refused.events").replaceAll('"mandatory"', '"advisory"');
  expect((await reportOf(advisory)).violations).toEqual([]);
});

test("a failed update reports what it began and what failed", async () => {
  const { kind, complete, summary, errors } = await reportOf(recording("lost-answers.events"));
  expect({ kind, complete }).toEqual({ kind: "update", complete: false });
  expect(summary).toBe(
    "the update failed, 3 changes did not finish; 7 requests, 2 other changes: " +
      "deletes data, cuts a trunk, rotates a secret, 3 more",
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
    .replaceAll('"organization":"example"', '"organization":"eu"')
    .replaceAll("Organization::org", "Organization::eu")
    .replaceAll("::org-", "::eu-");
  const steps = [...(JSON.parse(text) as DigestStep[]), ...(JSON.parse(other) as DigestStep[])];
  const lines = (await reportOf({ ...edited, steps })).changes.map((change) => change.text);
  expect(lines.map((line) => line.split(": ", 2).join(": "))).toEqual([
    "eu: recordings",
    "example: recordings",
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
  for (const text of [before, sealed]) expect(await linesOf(text)).toEqual(await linesOf(events));
});

test.each([".", "", "\ud800"])("%j, an id that no request can have, counts as the worst risk", async (id) => {
  const edited = digest("edited.digest");
  for (const { oldState, newState } of edited.steps.filter(({ urn }) => urn.endsWith("::org-crm"))) {
    if (oldState) oldState.outputs.webhookId = id;
    if (newState) newState.inputs.webhookId = id;
  }
  expect(await linesOf(edited)).toContain("[rotates a secret] crm: what happens cannot be read from these values");
});

test("values of another resource count as this resource's risk", async () => {
  const edited = digest("edited.digest");
  for (const { oldState, newState } of edited.steps) {
    if (oldState?.type.includes("/voiceplane:")) oldState.outputs = {};
    if (newState?.type.includes("/voiceplane:")) newState.inputs = {};
  }
  const report = await reportOf(edited);
  expect(report.risks).toEqual(["deletes data", "cuts a trunk", "rotates a secret", "narrows access", "widens access"]);
  expect(changeLines(report)).toContain("[rotates a secret] crm: what happens cannot be read from these values");
});
