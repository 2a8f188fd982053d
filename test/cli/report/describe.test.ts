import { digest, recording, reportOf, stepOf, told, type Digest } from "./recorded";

test("an edit is told in words, the worst risks first", async () => {
  const report = await reportOf(recording("edited.digest"));
  expect(told(report)).toEqual([
    "[deletes data] recordings are kept 90 instead of 365 days: recordings older than 90 days will be deleted",
    "[cuts a trunk] carrier-a loses its outbound credentials",
    "[cuts a trunk] carrier-b loses its outbound credentials once more (trigger year changed)",
    "[rotates a secret] crm's signing secret will be rotated (trigger quarter changed): today's secret stops working",
    "[narrows access] office may be reached from 203.0.113.0/25, half of today's range; " +
      'office is given the name "HQ" instead of "Office"',
    "[widens access] runners may be reached from 2001:db8::/32, 65536 times today's range",
    "audit_events: onDelete changed; that is stored and nothing is sent",
    "conversations are kept 60 instead of 30 days",
  ]);
  expect(report.summary).toBe("9 changes: deletes data, cuts a trunk, rotates a secret, narrows access, widens access");
});

test("creating says that it rotates, and that it may delete", async () => {
  expect(told(await reportOf(recording("created.digest")))).toEqual([
    "[deletes data] audit_events are kept 2555 days: what has been kept longer until now may be deleted",
    "[deletes data] conversations are kept 30 days: what has been kept longer until now may be deleted",
    "[deletes data] recordings are kept 365 days: what has been kept longer until now may be deleted",
    "[cuts a trunk] carrier-b loses its outbound credentials",
    "[rotates a secret] crm's signing secret will be rotated on creation: today's secret stops working",
    "[narrows access, widens access] office may be reached from 203.0.113.0/24: which range that replaces is not known; " +
      'office is given the name "Office"',
    "[narrows access, widens access] runners may be reached from 2001:db8::/48: which range that replaces is not known",
    "billing is adopted: its signing secret stays as it is",
    "carrier-a is tracked: its outbound credentials stay as they are",
  ]);
});

test("what is due is told with its date", async () => {
  expect(told(await reportOf(recording("due.digest")))).toEqual([
    "[rotates a secret] crm's signing secret will be rotated (due 2026-11-20): today's secret stops working",
    "conversations are set to 30 days again (due 2026-08-29): that undoes what was changed elsewhere",
  ]);
});

const goodbye = [
  "[deletes data] destroy: the retention policy of conversations is turned off: " +
    "the platform's own limit holds then and may delete data",
  "[cuts a trunk] destroy: carrier-a loses its outbound credentials",
  "[narrows access] destroy: office may be reached from 203.0.113.0/25, half of today's range",
  "[leaves things behind] destroy leaves audit_events as last set",
  "[leaves things behind] destroy leaves billing's signing secret as last set",
  "[leaves things behind] destroy leaves carrier-b as it is",
  "[leaves things behind] destroy leaves crm's signing secret as last set",
  "[leaves things behind] destroy leaves recordings as last set",
  "[leaves things behind] destroy leaves runners as last set",
];

test.each(["destroyed.digest", "emptied.digest"])("%s: a destroy is told by what onDelete says", async (name) => {
  expect(told(await reportOf(recording(name)))).toEqual(goodbye);
});

test("a rename is compared with what was known, and the old name sends nothing", async () => {
  expect(told(await reportOf(recording("renamed.digest")))).toEqual([
    "[deletes data] destroy: the retention policy of conversations is turned off: " +
      "the platform's own limit holds then and may delete data",
    "[deletes data] recordings are kept 90 instead of 365 days: recordings older than 90 days will be deleted",
    "[cuts a trunk] destroy: carrier-a loses its outbound credentials",
    "[cuts a trunk] line loses its outbound credentials once more",
    "[rotates a secret] payments' signing secret will be rotated on creation: today's secret stops working",
    "[leaves things behind] destroy leaves audit_events as last set",
    "[leaves things behind] destroy leaves billing's signing secret as last set",
    "[leaves things behind] destroy leaves runners as last set",
    "carrier-b: declared under another name, and nothing is sent for the old one",
    "crm: declared under another name, and nothing is sent for the old one",
    "moved is set again: that undoes what was changed elsewhere",
    "office: declared under another name, and nothing is sent for the old one",
    "recordings: declared under another name, and nothing is sent for the old one",
  ]);
});

test("another id is another object: the new one is set, the former one left", async () => {
  expect(told(await reportOf(recording("replaced.digest")))).toEqual([
    "[rotates a secret, leaves things behind] crm's signing secret will be rotated on creation: " +
      "today's secret stops working; destroy leaves the former crm's signing secret as last set",
    "[narrows access, widens access, leaves things behind] runners may be reached from 2001:db8::/48: " +
      "which range that replaces is not known; destroy leaves the former runners as last set",
  ]);
});

test("--replace of everything rotates and clears, deletes nothing and leaves nothing behind", async () => {
  const report = await reportOf(recording("made-anew.digest"));
  expect(report.risks).toEqual(["cuts a trunk", "rotates a secret"]);
  expect(told(report)).toContain("recordings are set to 365 days again: that undoes what was changed elsewhere");
});

test("what is not known before the update counts as a risk", async () => {
  expect(told(await reportOf(recording("unknown.digest")))).toEqual([
    "[deletes data] recordings are kept as long as is not known yet: data may be deleted",
    "[cuts a trunk] carrier-b may lose its outbound credentials once more (trigger year cannot be seen here)",
    "[rotates a secret] crm's signing secret may be rotated (trigger quarter cannot be seen here): " +
      "today's secret stops working if so",
    "[narrows access, widens access] office may be reached from a range that cannot be seen here",
  ]);
});

test("a secret trigger may have changed: that counts as a risk", async () => {
  expect(told(await reportOf(recording("hidden.digest")))).toEqual([
    "[cuts a trunk] carrier-b may lose its outbound credentials once more (trigger year cannot be seen here)",
    "[rotates a secret] crm's signing secret may be rotated (trigger quarter cannot be seen here): " +
      "today's secret stops working if so",
  ]);
});

test("a first rotation that depends on a value not known yet counts as a risk", async () => {
  const created = recording("created.digest").replace('"rotateOnCreate": false', `"rotateOnCreate": "[secret]"`);
  expect(told(await reportOf(created))).toContain(
    "[rotates a secret] billing's signing secret may be rotated on creation: today's secret stops working if so",
  );
});

test("after lost answers nothing is taken for known", async () => {
  expect(told(await reportOf(recording("uncertain.digest")))).toEqual([
    "[deletes data] conversations are kept 60 days (the last answer was lost): " +
      "what has been kept longer until now may be deleted",
    "[deletes data] recordings are kept 90 days (the last answer was lost): " +
      "what has been kept longer until now may be deleted",
    "[rotates a secret] crm's signing secret will be rotated (trigger quarter changed, " +
      "the answer to its last rotation was lost): today's secret stops working",
  ]);
});

test.each(["unchanged.digest", "unchanged.events"])("%s: no changes", async (name) => {
  expect(await reportOf(recording(name))).toEqual({
    summary: "no changes",
    kind: "preview",
    complete: true,
    changeCount: 0,
    editCount: 0,
    risks: [],
    changes: [],
    others: [],
    errors: [],
  });
});

test.each(["created", "edited", "hidden"])(
  "%s: the events of a preview give the same report as its document",
  async (name) => {
    expect(await reportOf(recording(`${name}.events`))).toEqual(await reportOf(recording(`${name}.digest`)));
  },
);

test("an up that previews first is told by its own events", async () => {
  const { kind, ...rest } = await reportOf(recording("up-with-preview.events"));
  expect(kind).toBe("update");
  expect(rest).toEqual(await reportOf(recording("created.digest")).then(({ kind: _, ...others }) => others));
});

test("resources of other providers are counted, not hidden", async () => {
  const { others, changeCount } = await reportOf(recording("emptied.digest"));
  expect(others).toEqual([
    { type: "pulumi-nodejs:dynamic:Resource", counts: { delete: 2 } },
    { type: "voiceplane:index:Organization", counts: { delete: 1 } },
  ]);
  expect(changeCount).toBe(12);
});

test("a refused preview is not complete, and says why", async () => {
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

test("a failed update tells what it began and what went wrong", async () => {
  const { kind, complete, summary, errors } = await reportOf(recording("lost-answers.events"));
  expect({ kind, complete }).toEqual({ kind: "update", complete: false });
  expect(summary).toBe(
    "the update failed; 9 changes: deletes data, cuts a trunk, rotates a secret, narrows access, widens access",
  );
  expect(errors.map((error) => error.split(" got ")[0]).sort()).toEqual([
    "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
    "PUT /v1/retention-policies/conversations",
    "PUT /v1/retention-policies/recordings",
  ]);
});

test.each(["created", "edited", "due", "destroyed", "renamed", "replaced", "uncertain"])(
  "%s: the native types are told in the same words",
  async (name) => {
    const dynamic = recording(`${name}.digest`);
    const native = dynamic.replaceAll("pulumi-nodejs:dynamic/voiceplane:", "voiceplane:index:");
    expect(native).not.toBe(dynamic);
    expect(await reportOf(native)).toEqual(await reportOf(dynamic));
  },
);

test("with several organizations every sentence says which", async () => {
  const edited = digest("edited.digest");
  const text = JSON.stringify(edited.steps.filter(({ urn }) => /::org-(office|recordings)$/.test(urn)));
  const other = text
    .replaceAll('"account":"example"', '"account":"eu"')
    .replaceAll("Organization::org", "Organization::eu")
    .replaceAll("::org-", "::eu-");
  const steps = [...(JSON.parse(text) as object[]), ...(JSON.parse(other) as object[])];
  const lines = (await reportOf(JSON.stringify({ ...edited, steps }))).changes.map((change) => change.text);
  expect(lines.map((line) => line.split(" may be ")[0]?.split(" kept ")[0])).toEqual([
    "eu: recordings are",
    "example: recordings are",
    "eu: eu-office",
    "example: org-office",
  ]);
});

describe("what is due alone", () => {
  /** The recorded preview in which conversations are due, and nothing else of this package. */
  function due(): { preview: Digest; step: ReturnType<typeof stepOf> } {
    const preview = digest("due.digest");
    preview.steps = preview.steps.filter(({ urn }) => !urn.endsWith("::org-crm"));
    return { preview, step: stepOf(preview, "org-conversations") };
  }
  const edits = async (preview: Digest) => (await reportOf(JSON.stringify(preview))).editCount;

  test("is a setting that is sent again as it was", async () => {
    expect(await edits(due().preview)).toBe(0);
  });

  test("is no rotation, which is a risk", async () => {
    expect(await edits(digest("due.digest"))).toBe(1);
  });

  test("is no longer retention, although that is due as well and has no risk", async () => {
    const { preview, step } = due();
    step.newState.inputs.retentionDays = 3650;
    const report = await reportOf(JSON.stringify(preview));
    expect(told(report)).toEqual(["conversations are kept 3650 instead of 30 days (due 2026-08-29)"]);
    expect([report.risks, report.editCount]).toEqual([[], 1]);
  });

  test("is nothing of other providers", async () => {
    const { preview } = due();
    const state = { type: "aws:rds/instance:Instance", inputs: {}, outputs: {} };
    const urn = "urn:pulumi:dev::previews::aws:rds/instance:Instance::db";
    preview.steps.push({ op: "delete", urn, oldState: state });
    const report = await reportOf(JSON.stringify(preview));
    expect([report.risks, report.editCount]).toEqual([[], 1]);
  });

  test.each([
    ["a secret", "[secret]"],
    ["not known yet", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"],
  ])("is nothing that cannot be seen, such as a value that is %s", async (_name, value) => {
    const { preview, step } = due();
    for (const { inputs } of [step.oldState, step.newState]) inputs.reassertAfter = value;
    expect(await edits(preview)).toBe(1);
  });

  test("is nothing whose last answer was lost", async () => {
    const { preview, step } = due();
    step.oldState.outputs.uncertain = true;
    expect(await edits(preview)).toBe(1);
  });
});

test("a secret trigger that changed looks in events like one that did not: a risk all the same", async () => {
  const mark = '{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"}';
  const events = recording("hidden.events");
  expect(events).toContain(`"triggers":{"quarter":${mark}}`);
  const before = events.replaceAll('"triggers":{"quarter":"2026-Q3"}', `"triggers":{"quarter":${mark}}`);
  const sealed = before.replaceAll('"ciphertext":"[secret]"', '"ciphertext":"v1:sealed"');
  for (const text of [before, sealed]) expect(told(await reportOf(text))).toEqual(told(await reportOf(events)));
});

test.each([".", "", "\ud800"])("an id that cannot stand in a request, %j, counts as the worst", async (id) => {
  const edited = digest("edited.digest");
  for (const { oldState, newState } of edited.steps.filter(({ urn }) => urn.endsWith("::org-crm"))) {
    if (oldState) oldState.outputs.webhookId = id;
    if (newState) newState.inputs.webhookId = id;
  }
  expect(told(await reportOf(JSON.stringify(edited)))).toContain(
    "[rotates a secret] crm: what happens cannot be told from these values",
  );
});

test("values that are not the resource's own count as its risk", async () => {
  const edited = digest("edited.digest");
  for (const { oldState, newState } of edited.steps) {
    if (oldState?.type.includes("/voiceplane:")) oldState.outputs = {};
    if (newState?.type.includes("/voiceplane:")) newState.inputs = {};
  }
  const report = await reportOf(JSON.stringify(edited));
  expect(report.risks).toEqual(["deletes data", "cuts a trunk", "rotates a secret", "narrows access", "widens access"]);
  expect(told(report)).toContain("[rotates a secret] crm: what happens cannot be told from these values");
});
