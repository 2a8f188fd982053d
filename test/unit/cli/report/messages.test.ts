/** What a report shows of errors, violations and warnings, and what it leaves to Pulumi's own output. */
import type { ChangedResource } from "../../../../src/organization-file/places";
import { secretsOf } from "../../../../src/values/environment";
import { digest, eventsOf, recording, reportOf } from "../../../support/recorded";

const prefix = "urn:pulumi:dev::previews";
const stack = `${prefix}::pulumi:pulumi:Stack::previews-dev`;
const entry = (type: string) => `${prefix}::voiceplane:index:Organization$voiceplane:index:${type}::org-it`;
const resource = (type: string) => `${prefix}::voiceplane:index:${type}::it`;

/** Of a preview that fails with this error. It has the steps of an Organization "org". */
async function errorsOf(
  message: string,
  urn = "",
  options: Parameters<typeof reportOf>[1] = {},
): Promise<readonly string[]> {
  const document = digest("refused.digest");
  document.diagnostics = [{ severity: "error", urn, message }];
  return (await reportOf(document, options)).errors;
}

const invalidFile = "the organization file is not valid, and nothing was sent:";
const problems = [1, 2].map((line) => `organization.yaml:${line}:1 wrong [wrong-value]`);
const ofArguments = [
  "webhook_id: is not a property of WebhookSecret (did you mean webhookId?); known are webhookId [unknown-property]",
  'onCreate: must be "rotate" or "adopt" [wrong-value]',
];
const ofCrm = ['WebhookSecret "crm":', ...ofArguments].join("\n  ");

test.each<[what: string, message: string, urn: string, lines: string[]]>([
  ["the engine's own error", "error: no more memory\n", stack, ["no more memory"]],
  ["an error without a message", "error: \n", "", ["an error without a message"]],
  ["a long line, which is cut", "a ".repeat(500), "", [`${"a ".repeat(150)}…`]],
  ["an organization file's problems", [invalidFile, ...problems].join("\n  "), "", [invalidFile, ...problems]],
  ["the constructor's errors, to their end", `error: ${ofCrm}\n`, stack, ofArguments.map((line) => `crm: ${line}`)],
  [
    "another package's error: its first line, without its long words",
    "error: AccessDenied for AKIA0123456789ABCDEF\n  request: x\n",
    `${prefix}::aws:s3/bucket:Bucket::logs`,
    [`logs: AccessDenied for [redacted] …`],
  ],
  [
    "a program's exception: the line that the first one announces",
    "Running program '/p' failed with an unhandled exception:\nError: no such file\n    at load (/p/index.ts:3:1)\n",
    stack,
    [`Running program '/p' failed with an unhandled exception: Error: no such file …`],
  ],
])("%s", async (_what, message, urn, lines) => {
  expect(await errorsOf(message, urn)).toEqual(lines);
});

test("a line of a program in YAML that Pulumi quotes is not repeated", async () => {
  const printed = ["Error: Organization is not assignable", "  on Pulumi.yaml line 12:", "  12: dayz: whsec_1"].join(
    "\n",
  );
  expect(await errorsOf(printed, stack)).toEqual([`Error: Organization is not assignable …`]);
});

test("secrets of the environment are removed", async () => {
  const secrets = secretsOf({ VOICEPLANE_TOKEN: "hush hush hush" });
  expect(await errorsOf("error: no server for hush hush hush", "", { secrets })).toEqual(["no server for [redacted]"]);
});

const placeOf = ({ type, name, organization = "none", key = "none", edited }: ChangedResource) =>
  [type, name, organization, key, ...edited].join(" ");
const days = "error: TYPE resource 'NAME' has a problem: retentionDays: 365 => 30 deletes [retention-shortened]";

test("an error of a resource has the place of its argument, and the keys of its entry", async () => {
  expect(await errorsOf(days, entry("RetentionPolicy"), { placeOf })).toEqual([
    "it (RetentionPolicy org-it org it retentionDays): days: 365 => 30 deletes [retention-shortened]",
  ]);
  expect(await errorsOf(days, resource("RetentionPolicy"), { placeOf })).toEqual([
    "it (RetentionPolicy it none none retentionDays): retentionDays: 365 => 30 deletes [retention-shortened]",
  ]);
});

test("an error in the arguments of an Organization, which the engine reports for the stack, has the place of its entry", async () => {
  const lines = [
    "retention.recordings.days: must be a number [wrong-value]",
    "webhooks.crm: has the same id as webhooks.sales [declared-twice]",
    "canaries: is not a property of an Organization [unknown-property]",
  ];
  const message = `error: voiceplane:index:Organization resource 'org' has a problem: ${['Organization "org":', ...lines].join("\n  ")}`;
  expect(await errorsOf(message, "", { placeOf })).toEqual([
    `org (RetentionPolicy org org recordings days): ${lines[0]}`,
    `org (WebhookSecret org org crm): ${lines[1]}`,
    `org (Organization org none none canaries): ${lines[2]}`,
  ]);
});

test("a policy's message has no long word that the preview does not have", async () => {
  const policyEvent = (message: string) => ({
    sequence: 99,
    policyEvent: { policyName: "p", enforcementLevel: "mandatory", resourceUrn: entry("WebhookSecret"), message },
  });
  const message = "c0000000-0000-4000-8000-000000000001 has whsec_0123456789abcdef.";
  const { violations } = await reportOf(`${recording("due.digest")}${JSON.stringify(policyEvent(message))}\n`);
  expect(violations).toEqual(["the policy p is violated by it: c0000000-0000-4000-8000-000000000001 has [redacted]"]);
});

describe("a warning", () => {
  const now = "VOICEPLANE_NOW is set: this run takes 2027-11-20T00:00:00.000Z for the present [time-set]";
  const ofCrmId = 'WebhookSecret "c0000000-0000-4000-8000-000000000001" of example';
  const warned = async (...warnings: { urn?: string; message: string; severity?: string }[]) => {
    const document = digest("due.digest");
    document.diagnostics = warnings.map((each) => ({ severity: "warning", ...each }));
    return (await reportOf(document, { secrets: ["hush-hush"] })).warnings;
  };

  test("of either provider is shown once, without secrets, and another package's is not", async () => {
    const printed = await warned(
      { urn: entry("WebhookSecret"), message: `warning: ${now}\n` },
      { severity: "info#err", message: `warning: voiceplane: ${now}\n\n` },
      { urn: stack, message: "warning: the configuration has hush-hush, which is not read [setting-value]" },
      { urn: `${prefix}::aws:s3/bucket:Bucket::logs`, message: "warning: deprecated [setting-value]" },
    );
    expect(printed).toEqual([now, "the configuration has [redacted], which is not read [setting-value]"]);
  });

  test("that a line says already is left out", async () => {
    expect(await warned({ message: `${ofCrmId}: this update rotates a secret. [rotates-a-secret]` })).toEqual([]);
  });

  test("says how many events are not known", async () => {
    const { warnings, complete } = await reportOf(`${recording("due.digest")}{"sequence":99,"noveltyEvent":{}}\n`);
    expect([complete, warnings]).toEqual([
      true,
      ["Pulumi reported 1 event that this version of voiceplane does not know"],
    ]);
  });
});

test("an outline of the recorded events is the same whatever the order of its steps", async () => {
  const document = digest("edited.digest");
  const reversed = { ...document, steps: document.steps.toReversed() };
  expect((await reportOf(eventsOf(reversed))).changes).toEqual((await reportOf(eventsOf(document))).changes);
});
