/**
 * What a report shows of a failed preview, and what it leaves to Pulumi's own output. The recordings broken-file, no-file, no-settings, thrown,
 * run-error, refused and others-refused have the usual failures.
 */
import { describeRun, type DescribeOptions } from "../../../../src/cli/report/describe";
import { errorLines } from "../../../../src/cli/report/messages/errors";
import { violationLines } from "../../../../src/cli/report/messages/violations";
import { warningLines } from "../../../../src/cli/report/messages/warnings";
import { namesOf } from "../../../../src/cli/pulumi/names";
import { readPreview } from "../../../../src/cli/pulumi/preview-or-update";
import { secretsOf } from "../../../../src/values/environment";
import type { ChangedResource } from "../../../../src/organization-file/places";
import { eventsOf, digest, recording, reportOf } from "../../../support/recorded";

const prefix = "urn:pulumi:dev::previews";
const nameOf = namesOf([`${prefix}::voiceplane:index:Organization::org`]);
const places = { nameOf, steps: [], placeOf: () => undefined };
const linesOf = (message: string, urn = "", secrets: readonly string[] = []) =>
  errorLines([{ urn, message }], places, secrets);

const stack = `${prefix}::pulumi:pulumi:Stack::previews-dev`;
const entry = (type: string) => `${prefix}::voiceplane:index:Organization$voiceplane:index:${type}::org-it`;
const inComponent = (urn: string) => urn.replace(`${prefix}::`, `${prefix}::my:index:Team$`);
const resource = (type: string) => `${prefix}::voiceplane:index:${type}::it`;
const problemOf = (type: string) => `voiceplane:index:${type} resource 'org-it' has a problem: `;

const invalidFile = "the organization file is not valid, and nothing was sent:";
const problems = Array.from({ length: 60 }, (_, index) => `organization.yaml:${index + 1}:1 wrong [wrong-value]`);
const shortened = [invalidFile, ...problems.slice(0, 49), "and 11 more"];
const refused = problemOf("WebhookSecret");

const ofArguments = [
  "webhook_id: is not a property of WebhookSecret (did you mean webhookId?); known are webhookId [unknown-property]",
  'onCreate: must be "rotate" or "adopt" [wrong-value]',
];
const ofCrm = ['WebhookSecret "crm":', ...ofArguments].join("\n  ");

const moved =
  "the webhook belongs to the organization https://voice.example.com, and this provider talks to " +
  "https://voice.eu.example.com. If only the address changed, keep the name with `pulumi config set voiceplane:organization " +
  "https://voice.example.com`. If another organization is meant, declare a new resource with a new name and remove this one";

test.each<[what: string, message: string, urn: string, lines: string[]]>([
  ["the engine's own error that names the stack", "error: no more memory\n", stack, ["no more memory"]],
  ["the engine's own error that names nothing", "error: update canceled\n", "", ["update canceled"]],
  ["an error without a message", "error: \n", "", ["an error without a message"]],
  ["a long line, which is cut", "x".repeat(5000), "", [`${"x".repeat(300)}…`]],
  ["a long list, which is cut", [invalidFile, ...problems].join("\n  "), "", shortened],
  ["the constructor's errors, to their end", `error: ${ofCrm}\n`, stack, ofArguments.map((line) => `crm: ${line}`)],
  [
    "the engine's refusal of a resource that is declared, and that another one was before",
    `error: Duplicate resource alias '${resource("WebhookSecret")}' applied to resource with URN '${entry("WebhookSecret")}' conflicting with resource with URN '${entry("WebhookSecret")}'`,
    entry("WebhookSecret"),
    [
      "it: two resources claim one state, by `formerly` or an alias, or because the old one is declared too: leave it to one of them",
    ],
  ],
  ["the refusal of a moved webhook, to its end", refused + moved, entry("WebhookSecret"), [`it: ${moved}`]],
])("%s", (_what, message, urn, lines) => {
  expect(linesOf(message, urn)).toEqual(lines);
});

test("an error of a program in YAML has its keys and its line, and neither a whole type nor a line of the program", () => {
  const type = "{retention: {recordings: {dayz: number}}, webhooks: {crm: {rotateAfter: List<string>}}}";
  const printed = [
    `\u001b[31mError\u001b[0m: voiceplane:index:Organization is not assignable from ${type}`,
    "  on Pulumi.yaml line 12:",
    "  12:         \u001b[1;4mdayz: whsec_1\u001b[0m",
    `Cannot assign '${type}' to 'voiceplane:index:Organization':`,
    "  retention: Cannot assign '{recordings: {dayz: number}}' to 'Map<voiceplane:index:OrganizationRetention>':",
    "    recordings: Cannot assign '{dayz: number}' to 'voiceplane:index:OrganizationRetention':",
    "      days: Missing required property 'days'",
    "      Existing properties are: days, enabled, onCreate and 5 others",
    "  webhooks: Cannot assign '{crm: {rotateAfter: List<string>}}' to 'Map<voiceplane:index:OrganizationWebhook>':",
    "    crm: Cannot assign '{rotateAfter: List<string>}' to 'voiceplane:index:OrganizationWebhook':",
    "      rotateAfter: Cannot assign 'List<string>' to 'string'",
    "  onDelete: Cannot assign '{enabled: string}' to 'voiceplane:index:OnDelete':",
    "    enabled: Cannot assign type 'string' to type 'voiceplane:index:Switch':",
    '      Allowed values are "on", "off"',
    "    dayz: Cannot assign type 'string' to type 'number'",
    '\u001b[31mError\u001b[0m: resource, variable, or config value "nix" not found',
    "  on Pulumi.yaml line 30:",
    "  30: \u001b[1;4m${nix}\u001b[0m",
    "\u001b[31mError\u001b[0m: something else",
    "",
  ];
  expect(linesOf(printed.join("\n\n"), stack)).toEqual([
    "retention.recordings.days (Pulumi.yaml:12): Missing required property 'days'. Existing properties are: days, enabled, onCreate and 5 others",
    "webhooks.crm.rotateAfter (Pulumi.yaml:12): Cannot assign 'List<string>' to 'string'",
    "onDelete.enabled (Pulumi.yaml:12): Cannot assign type 'string' to type 'voiceplane:index:Switch'. Allowed values are \"on\", \"off\"",
    "onDelete.dayz (Pulumi.yaml:12): Cannot assign type 'string' to type 'number'",
    'Pulumi.yaml:30: resource, variable, or config value "nix" not found',
    "something else (see Pulumi's own output for the rest)",
  ]);
});

test.each([
  [
    "RetentionPolicy",
    "onDelete.retentionDays: 365 => 30 deletes [retention-shortened]",
    "onDelete.days: 365 => 30 deletes [retention-shortened]",
  ],
  [
    "TrunkOutboundAuth",
    "cleared: must be true or false [wrong-value]",
    "outboundAuth: must be true or false [wrong-value]",
  ],
])("an error of a %s in an Organization has the keys of its entry: %s", (type, message, shown) => {
  expect(linesOf(problemOf(type) + message, entry(type))).toEqual([`it: ${shown}`]);
  expect(linesOf(problemOf(type) + message, inComponent(entry(type)))).toEqual([`it: ${shown}`]);
  expect(linesOf(problemOf(type) + message, resource(type))).toEqual([`it: ${message}`]);
});

test("an error of a resource has the place of its argument, also of an entry, which has no step", async () => {
  const placeOf: DescribeOptions["placeOf"] = ({ type, name, organization = "none", key = "none", edited }) =>
    [type, name, organization, key, ...edited].join(" ");
  const document = digest("refused.digest");
  const message = "error: TYPE resource 'NAME' has a problem: retentionDays: 365 => 30 deletes [retention-shortened]";
  const urns = [entry("RetentionPolicy"), resource("RetentionPolicy")];
  document.diagnostics = urns.map((urn) => ({ severity: "error", urn, message }));
  expect((await reportOf(document, { placeOf })).errors).toEqual([
    "it (RetentionPolicy org-it org it retentionDays): days: 365 => 30 deletes [retention-shortened]",
    "it (RetentionPolicy it none none retentionDays): retentionDays: 365 => 30 deletes [retention-shortened]",
  ]);
});

test("of two Organizations whose names begin alike, an error has the place in the one that has the entry", () => {
  const organizations = ["org", "org-eu"].map((name) => `${prefix}::voiceplane:index:Organization::${name}`);
  const document = digest("refused.digest");
  const [step] = readPreview(eventsOf(document)).steps;
  const steps = organizations.flatMap((urn) => (step ? [{ ...step, urn }] : []));
  const placeOf = ({ organization, key }: ChangedResource) =>
    organization === "org-eu" && key === "it" ? "organization.yaml:3" : undefined;
  const urn = entry("RetentionPolicy").replace("org-it", "org-eu-it");
  expect(errorLines([{ urn, message: "days: wrong [wrong-value]" }], { ...places, steps, placeOf }, [])).toEqual([
    "eu-it (organization.yaml:3): days: wrong [wrong-value]",
  ]);
});

test("an error in the arguments of an Organization, which the engine reports for the stack, has the place of its entry", () => {
  const placeOf = ({ type, name, organization = "none", key = "none", edited }: ChangedResource) =>
    [type, name, organization, key, ...edited].join(" ");
  const lines = [
    "retention.recordings.days: must be a number [wrong-value]",
    "webhooks.crm: has the same id as webhooks.sales [duplicate-id]",
    "canaries: is not a property of an Organization [unknown-property]",
  ];
  const message = `error: voiceplane:index:Organization resource 'org' has a problem: ${['Organization "org":', ...lines].join("\n  ")}`;
  expect(errorLines([{ urn: "", message }], { ...places, placeOf }, [])).toEqual([
    `org (RetentionPolicy org org recordings days): ${lines[0]}`,
    `org (WebhookSecret org org crm): ${lines[1]}`,
    `org (Organization org none none canaries): ${lines[2]}`,
  ]);
});

describe("a warning", () => {
  const now = "VOICEPLANE_NOW is set: this run takes 2027-11-20T00:00:00.000Z for the present [time-set]";
  const late = 'WebhookSecret "c-1" of eu: rotateOn 2028-01-01 is more than a period after today. [date-too-far]';

  test("of either provider is shown once, without secrets", () => {
    const warnings = [
      { urn: entry("WebhookSecret"), message: `warning: ${now}\n` },
      { urn: "", message: `warning: voiceplane: ${now}\n\n` },
      { urn: stack, message: "warning: the configuration has hush-hush, which is not read [setting-unread]" },
    ];
    expect(warningLines({ phase: "preview", warnings }, () => undefined, ["hush-hush"])).toEqual([
      now,
      "the configuration has [redacted], which is not read [setting-unread]",
    ]);
  });

  test("of one object has the name and the place of its declaration, also from the provider that prints it", () => {
    const subjectOf = (text: string) =>
      text.startsWith('WebhookSecret "c-1" of eu: ') ? { name: "crm", place: "organization.yaml:5" } : undefined;
    const warnings = [
      { urn: "", message: `warning: voiceplane: ${late}\n\n` },
      { urn: entry("WebhookSecret"), message: `warning: ${late}` },
    ];
    expect(warningLines({ phase: "preview", warnings }, subjectOf, [])).toEqual([`crm (organization.yaml:5): ${late}`]);
  });

  test("more of them than fit are counted", () => {
    const warnings = Array.from({ length: 60 }, (_, id) => ({ urn: "", message: late.replace("c-1", `c-${id}`) }));
    expect(warningLines({ phase: "preview", warnings }, () => undefined, []).slice(49)).toEqual([
      late.replace("c-1", "c-53"),
      "and 10 more",
    ]);
  });

  test("is in the report of a run, at the object that is declared", async () => {
    const document = digest("due.digest");
    const id = "c0000000-0000-4000-8000-000000000001";
    const message = `warning: voiceplane: WebhookSecret "${id}" of example: rotateOn is too late [date-too-far]\n\n`;
    document.diagnostics = [{ severity: "info#err", message }];
    const { warnings } = await reportOf(document, { placeOf: ({ key }) => `organization.yaml:${String(key)}` });
    expect(warnings).toEqual([
      `crm (organization.yaml:crm): WebhookSecret "${id}" of example: rotateOn is too late [date-too-far]`,
    ]);
  });
});

const provider = `${prefix}::pulumi:providers:voiceplane::eu`;
const noToken = 'no token: give the Provider "eu" a token or set VOICEPLANE_TOKEN_EU';

test("a provider says what is wrong in its settings, and not what the engine says of the calls that this ended", () => {
  const found = {
    urn: provider,
    message: `error: pulumi:providers:voiceplane resource 'eu' has a problem: ${noToken}\n`,
  };
  const closing = "error: rpc error: code = Canceled desc = grpc: the client connection is closing";
  expect(errorLines([found, { urn: stack, message: closing }], places, [])).toEqual([`eu: ${noToken}`]);
  expect(linesOf(closing, stack)).toEqual([closing.slice("error: ".length)]);
});

test.each([
  [
    "JavaScript",
    "Running program '/p/index.js' failed with an unhandled exception:",
    "Error: no file crm.yaml\n    at x",
  ],
  [
    "Python",
    "Program failed with an unhandled exception:",
    'Traceback (most recent call last):\n  File "x"\nError: no file crm.yaml',
  ],
])("a program's exception in %s is its first line, without long words and secrets", (_language, heading, text) => {
  expect(linesOf(`error: ${heading}\n${text}`, stack)).toEqual([
    `${heading} Error: no file crm.yaml (see Pulumi's own output for the rest)`,
  ]);
  const secret = text.replace("crm.yaml", "whsec_abcdefghijklmnop and hush-hush");
  expect(linesOf(`error: ${heading}\n${secret}`, stack, ["hush-hush"])).toEqual([
    `${heading} Error: no file [redacted] and [redacted] (see Pulumi's own output for the rest)`,
  ]);
});

describe("not shown", () => {
  test.each([
    ["an exception's text, which may hold a secret", "error: Running program failed:\ncanary", stack],
    ["what follows a text that only resembles a heading", `see: ${invalidFile}\ncanary`, ""],
    ["what follows a problem, without a code of its own", "error: onCreate: wrong [wrong-value]\ncanary", stack],
    ["what has another code than this package's", "error: wrong [E404]\ncanary [E404]", stack],
  ])("%s", (_what, message, urn) => {
    expect(linesOf(message, urn)).toEqual([expect.stringMatching(/ \(see Pulumi's own output for the rest\)$/)]);
    expect(linesOf(message, urn).join()).not.toContain("canary");
  });

  test("the value that the engine prints with a property", () => {
    const message =
      "voiceplane:index:RetentionPolicy resource 'org-it': property retentionDays value {map[a:{x has a problem: canary}\n]} " +
      "has a problem: must be a whole number";
    expect(linesOf(`error: ${message}`, entry("WebhookSecret"))).toEqual(["it: must be a whole number"]);
  });

  test("a secret that a cut would shorten, or another line", () => {
    const secret = "a-secret-that-is-cut";
    const lines = linesOf(`a\n\u202e${"x".repeat(986)} ${secret}`, entry("WebhookSecret"), [secret]);
    expect(lines).toEqual([`it: a ${"x".repeat(986)} [redact…`]);
  });

  test("warnings of others, and those of ours that the changes say", () => {
    const named = "the configuration has voiceplane:acount, which is not read [setting-unread]";
    const other = "urn:pulumi:dev::previews::other:index:Thing::it";
    const warnings = [
      { urn: "", message: "warning: canary" },
      { urn: other, message: `warning: ${named}` },
      { urn: "", message: 'warning: voiceplane: RetentionPolicy "recordings" of eu: sets 30 days. [deletes-data]\n\n' },
      { urn: resource("WebhookSecret"), message: 'WebhookSecret "w" of eu: it is unknown. [uncertain]' },
    ];
    expect(warningLines({ phase: "preview", warnings }, () => undefined, [])).toEqual([]);
  });

  test("a secret of the report's own environment, because comments are not masked as logs are", async () => {
    const env = {
      VOICEPLANE_TOKEN: "canary-of-the-default",
      VOICEPLANE_TOKEN_EU: "canary-of-europe",
      PULUMI_ACCESS_TOKEN: "canary-of-the-state",
      PULUMI_CONFIG_PASSPHRASE: "canary of a passphrase",
      VOICEPLANE_BASE_URL: "https://voice.example.com",
    };
    const message = `error: ${Object.values(env).join(" and ")}`;
    const document = eventsOf({ ...digest("refused.digest"), diagnostics: [{ severity: "error", message }] });
    const { errors } = await describeRun(readPreview(document), { secrets: secretsOf(env) });
    expect(errors).toEqual(["[redacted] and [redacted] and [redacted] and [redacted] and https://voice.example.com"]);
  });
});

describe("a violated policy", () => {
  test("is an error if it is mandatory", async () => {
    const advisory = recording("policies-refused.events").replaceAll('"mandatory"', '"advisory"');
    expect((await reportOf(advisory)).violations).toEqual([]);
  });

  const run = readPreview(recording("unchanged.events"));
  const wiki = "see https://wiki.example.com/policies/retention-of-recordings";

  // It reads secrets in clear.
  test.each([
    [
      "has its reason, on one line",
      "A range is small.\n\u202e/16 is too large.\n",
      "A range is small. /16 is too large.",
    ],
    ["may have none", "", "it gives no reason"],
    ["has a line of limited length", "x ".repeat(5000), `${"x ".repeat(500)}…`],
    ["repeats no long word without a digit", "the password correcthorsebatterystaple", "the password [redacted]"],
    ["repeats no long word with other signs", "the password p@ss!word#battery$horse", "the password [redacted]"],
    ["repeats no secret of the environment", "the password is correct horse", "the password is [redacted]"],
    [
      "repeats no long value that the preview does not show",
      '{"secret":"whsec_0123456789abcdef"} of c0000000-0000-4000-8000-000000000001',
      '{"secret":"[redacted]"} of c0000000-0000-4000-8000-000000000001',
    ],
    ["may name an address", wiki, wiki],
  ])("%s", (_what, message, reason) => {
    const violations = [{ policy: "naming", urn: "", message }];
    const lines = violationLines({ ...run, violations }, nameOf, ["correct horse"]);
    expect(lines).toEqual([`the policy naming is violated: ${reason}`]);
  });
});
