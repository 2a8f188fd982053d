/**
 * What a report shows of a failed preview, and what it leaves to Pulumi's own output. The recordings broken-file, no-file, no-settings, thrown,
 * run-error, refused and others-refused have the usual failures.
 */
import { describe as describePreview } from "../../../../src/cli/report/describe";
import { errorLines, violationLines, warningLines } from "../../../../src/cli/report/errors";
import { format } from "../../../../src/cli/report/formats";
import { namesOf } from "../../../../src/cli/pulumi/names";
import { readPreviewOrUpdate, type EngineProblem } from "../../../../src/cli/pulumi/preview-or-update";
import { secretsOf } from "../../../../src/values/environment";
import { eventsOf, digest, recording, reportOf } from "../../../support/recorded";

test("untrusted keys of a file are escaped, and an exception's text, which may hold a secret, is left to Pulumi's own output", async () => {
  const text = async (name: string) => format(await reportOf(recording(name)), "markdown");
  expect(await text("broken-file.digest")).toContain(
    "\n- organization.yaml:6:1 @<!-- -->octocat \\<img src=x\\>: is not a",
  );
  expect((await reportOf(recording("thrown.digest"))).errors).toEqual([
    "Running program '/project/index.js' failed with an unhandled exception (see Pulumi's own output for the rest)",
  ]);
});

const nameOf = namesOf(["urn:pulumi:dev::previews::voiceplane:index:Organization::org"]);
const linesOf = (problems: readonly EngineProblem[], secrets: readonly string[] = []) =>
  errorLines(problems, nameOf, secrets);

const stack = "urn:pulumi:dev::previews::pulumi:pulumi:Stack::previews-dev";

test("the engine's own errors are reported, also where they name the stack", () => {
  expect(linesOf([{ urn: stack, message: "error: no more memory\n" }])).toEqual(["no more memory"]);
  expect(linesOf([{ urn: "", message: "error: update canceled\n" }])).toEqual(["update canceled"]);
});

test("a long line is cut, and so is a long list", () => {
  const [line = ""] = linesOf([{ urn: "", message: "x".repeat(5000) }]);
  expect(line).toBe(`${"x".repeat(300)}…`);
  const problems = Array.from({ length: 60 }, (_, index) => `  organization.yaml:${index + 1}:1 wrong`);
  const message = ["the organization file is not valid, and nothing was sent:", ...problems].join("\n");
  const lines = linesOf([{ urn: "", message }]);
  expect(lines).toHaveLength(51);
  expect(lines.slice(-2)).toEqual(["organization.yaml:49:1 wrong", "and 11 more"]);
});

describe("an error of this package's resources", () => {
  const urn =
    "urn:pulumi:dev::previews::voiceplane:index:Organization$pulumi-nodejs:dynamic/voiceplane:WebhookSecret::org-crm";
  const subject = "pulumi-nodejs:dynamic/voiceplane:WebhookSecret resource 'org-crm' has a problem: ";

  test.each([
    ["RetentionPolicy", "onDelete.retentionDays: 365 => 30 deletes", "onDelete.days: 365 => 30 deletes"],
    ["TrunkOutboundAuth", "cleared: must be true or false", "outboundAuth: must be true or false"],
    ["TrunkOutboundAuth", "triggers: needs cleared: true", "triggers: needs outboundAuth: cleared"],
  ])("of a %s has the keys of its entry: %s", (type, message, shown) => {
    const ofEntry = urn.replace("WebhookSecret::org-crm", `${type}::org-it`);
    const ofResource = ofEntry.replace("voiceplane:index:Organization$", "");
    const said = `error: voiceplane:index:${type} resource 'org-it' has a problem: ${message}`;
    expect(linesOf([{ urn: ofEntry, message: said }])).toEqual([`it: ${shown}`]);
    expect(linesOf([{ urn: ofResource, message: said }])).toEqual([expect.stringContaining(message)]);
  });

  test("is complete: the refusal of a moved webhook ends with what to do", () => {
    const message =
      `${subject}the webhook belongs to the organization https://voice.example.com, and this provider talks to ` +
      "https://voice.eu.example.com. If only the address changed, keep the name with `pulumi config set voiceplane:organization " +
      "https://voice.example.com`. If another organization is meant, declare a new resource with a new name and remove this one";
    expect(message.length).toBeGreaterThan(300);
    const shown = message.replace(subject, "crm: ");
    expect(shown).toMatch(/^crm: the webhook belongs/);
    expect(linesOf([{ urn, message: `error: ${message}` }])).toEqual([shown]);
  });

  test("is told without the value that the engine prints with a property", () => {
    const message =
      "voiceplane:index:RetentionPolicy resource 'org-crm': property retentionDays value {map[a:{x has a problem: canary}\n]} " +
      "has a problem: must be a whole number";
    expect(linesOf([{ urn, message: `error: ${message}` }])).toEqual(["crm: retentionDays: must be a whole number"]);
  });

  test("is cut above the limit, after secrets are removed, and stays on one line", () => {
    const secret = "a-secret-that-is-cut";
    const [line = ""] = linesOf([{ urn, message: `a\n\u202e${"x".repeat(990)} ${secret}` }], [secret]);
    expect(line).toBe(`a ${"x".repeat(990)} [redact…`);
    expect(linesOf([{ urn, message: "error: " }])).toEqual(["an error without a message"]);
  });
});

test("the constructor's own errors are shown to their end", () => {
  const lines = [
    'WebhookSecret "crm": webhook_id: is not a property of WebhookSecret (did you mean webhookId?); known are webhookId',
    'onCreate: must be "rotate" or "adopt"',
  ];
  expect(linesOf([{ urn: stack, message: `error: ${lines.join("\n")}\n` }])).toEqual(lines);
  expect(linesOf([{ urn: stack, message: 'error: Webhook "crm": wrong\ncanary' }]).join("\n")).not.toContain("canary");
});

test("of warnings, only those about names in the configuration are shown, once", () => {
  const named = "the configuration has voiceplane:acount, which is not read: did you mean voiceplane:organization?";
  expect(warningLines([`warning: ${named}\n`, `warning: voiceplane: ${named}`, "warning: canary"], [])).toEqual([
    named,
  ]);
});

test("an error without a message is still reported", () => {
  expect(linesOf([{ urn: "", message: "error: \n" }])).toEqual(["an error without a message"]);
});

test("a text that only resembles the heading does not let the next lines through", () => {
  const message = "see: the organization file is not valid, and nothing was sent:\ncanary";
  expect(linesOf([{ urn: "", message }]).join("\n")).not.toContain("canary");
});

test("no error shows a secret of the report's own environment, because comments are not masked as logs are", async () => {
  const env = {
    VOICEPLANE_TOKEN: "canary-of-the-default",
    VOICEPLANE_TOKEN_EU: "canary-of-europe",
    PULUMI_ACCESS_TOKEN: "canary-of-the-state",
    PULUMI_CONFIG_PASSPHRASE: "canary of a passphrase",
    VOICEPLANE_BASE_URL: "https://voice.example.com",
  };
  const message = `error: ${Object.values(env).join(" and ")}`;
  const document = eventsOf({ ...digest("refused.digest"), diagnostics: [{ severity: "error", message }] });
  const { errors } = await describePreview(readPreviewOrUpdate(document), { secrets: secretsOf(env) });
  expect(errors).toEqual(["[redacted] and [redacted] and [redacted] and [redacted] and https://voice.example.com"]);
});

describe("a violated policy", () => {
  test("is an error if it is mandatory", async () => {
    const advisory = recording("policies-refused.events").replaceAll('"mandatory"', '"advisory"');
    expect((await reportOf(advisory)).violations).toEqual([]);
  });

  const violated = (message: string, urn = "") => ({
    ...readPreviewOrUpdate(recording("unchanged.events")),
    violations: [{ policy: "naming", urn, message }],
  });
  const line = (message: string, secrets: readonly string[] = []) =>
    violationLines(violated(message), nameOf, secrets)[0]?.replace("the policy naming is violated: ", "");

  test("has its reason, on one line of limited length", () => {
    expect(line("A range is small.\n\u202e/16 is too large.\n")).toBe("A range is small. /16 is too large.");
    expect(line("")).toBe("it gives no reason");
    expect(line("x".repeat(5000))).toBe(`${"x".repeat(1000)}…`);
  });

  test("repeats no secret of the environment, and no long value that the preview does not show: a policy reads secrets in clear", () => {
    expect(line("the password is correct horse", ["correct horse"])).toBe("the password is [redacted]");
    expect(line('{"secret":"whsec_0123456789abcdef"} of c0000000-0000-4000-8000-000000000001')).toBe(
      '{"secret":"[redacted]"} of c0000000-0000-4000-8000-000000000001',
    );
    expect(line("see https://wiki.example.com/policies/retention-of-recordings")).toBe(
      "see https://wiki.example.com/policies/retention-of-recordings",
    );
  });
});
