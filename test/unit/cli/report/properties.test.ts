import { readdirSync } from "node:fs";
import { anyCharacter } from "../../../support/any-character";
import fc from "../../../support/properties";
import { formatReport, formats } from "../../../../src/cli/report/formats";
import { OutputError } from "../../../../src/cli/pulumi/events";
import {
  digest,
  eventsOf,
  recording,
  recordingFile,
  reportOf,
  unknown,
  type Digest,
  type DigestStep,
  type Values,
} from "../../../support/recorded";

const recordings = readdirSync(recordingFile(""));
const digests = recordings.filter((name) => name.endsWith(".digest"));

/** All forms of a report, or an OutputError's message if the input was refused. Any other error is rethrown. */
async function printed(text: string): Promise<string> {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  try {
    const report = await reportOf(text);
    return formats
      .flatMap((form) => [formatReport(report, form, { colors: true }), formatReport(report, form, { commit })])
      .join("\n");
  } catch (error) {
    if (error instanceof OutputError) return error.message;
    throw error;
  }
}

test("any text gives a report or the one kind of error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: anyCharacter }), async (text) => {
      expect(await printed(text)).not.toBe("");
    }),
  );
});

test("any JSON is refused, in one line", async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (text) => {
      expect(await printed(text)).toMatch(/^pulumi printed .{10,300}$/);
    }),
  );
});

/** Any JSON in place of any value, including the names of members that every object has. */
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom({ toString: 1 }, { __proto__: null, length: -1 }, [[[]]], "[secret]", "constructor", -1, 1e308),
  fc.constant(unknown),
);

test("a preview with any value in any place gives a report or the one kind of error", async () => {
  let reports = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...digests), fc.nat(), anyValue, async (name, place, value) => {
      const events = recording(name)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown);
      const places = placesIn(events);
      places[place % places.length]?.(value);
      const text = await printed(events.map((event) => JSON.stringify(event)).join("\n"));
      expect(text).not.toBe("");
      if (!isRefusal(text)) reports++;
    }),
    { numRuns: 500 },
  );
  expect(reports).toBeGreaterThan(100);
});

const isRefusal = (text: string): boolean => /^the input .*$/.test(text);

function placesIn(value: unknown): ((replacement: unknown) => unknown)[] {
  if (typeof value !== "object" || value === null) return [];
  const container = value as Values;
  return Object.keys(container).flatMap((key) => [
    (replacement) => (container[key] = replacement),
    ...placesIn(container[key]),
  ]);
}

const canary = fc.stringMatching(/^[a-zA-Z0-9]{12}$/).map((text) => `canary-${text}`);

test("no secret is printed, wherever the engine leaves one in plain text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...digests), canary, async (name, secret) => {
      const text = await printed(eventsOf(withSecretEverywhere(digest(name), secret)));
      expect(isRefusal(text)).toBe(false);
      expect(text).not.toContain("canary");
    }),
    { numRuns: 200 },
  );
});

/**
 * Puts the secret in every place that can hold one: own secrets, other providers' values, configuration, messages,
 * stack outputs.
 */
function withSecretEverywhere(document: Digest, secret: string): Digest {
  const marked = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: secret };
  const insertSecret = (state: DigestStep["oldState"]) => {
    if (!state) return;
    const isOwn = state.type.includes("/voiceplane:");
    const secrets = { secret, previousSecret: secret, initialSecret: secret, data: { key: secret }, other: marked };
    state.inputs = { ...(isOwn ? state.inputs : {}), ...secrets, __hidden: secret };
    state.outputs = { ...(isOwn ? state.outputs : {}), ...secrets };
    if (!isOwn) state.inputs.text = secret;
    if (typeof state.inputs.triggers === "object") state.inputs.triggers = { quarter: marked, year: secret };
  };
  for (const { oldState, newState } of document.steps) [oldState, newState].forEach(insertSecret);
  const messages = [
    { severity: "info", message: secret },
    { severity: "error", message: `a program threw:\n${secret}`, urn: "urn:pulumi:dev::p::pulumi:pulumi:Stack::p-dev" },
    { severity: "error", message: secret, urn: "urn:pulumi:dev::p::aws:s3/bucket:Bucket::b" },
  ];
  return { ...document, config: { "a:b": secret }, diagnostics: [...(document.diagnostics ?? []), ...messages] };
}

const printing = recordings.filter((name) => recording(name).includes("canary-of-another-provider"));

test("a secret that the CLI itself prints is not repeated", async () => {
  expect(printing).toHaveLength(11);
  for (const name of printing) expect(await printed(recording(name))).not.toContain("canary");
});

test("no recording holds a token, or a secret of the organization", () => {
  expect(recordings.map(recording).join("\n")).not.toMatch(
    /vp_dev_|canary-of-the-initial-secret|canary-of-a-trigger|canary-of-a-config/,
  );
});

test("a name cannot start a new line, in any form", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 40 }), async (name) => {
      const document = recording("due.digest").replaceAll("::org-crm", () => `::${JSON.stringify(name).slice(1, -1)}`);
      const report = await reportOf(document);
      const lines = (form: "markdown" | "terminal") => formatReport(report, form).split("\n").length;
      expect([lines("markdown"), lines("terminal")]).toEqual([9, 9]);
      // eslint-disable-next-line no-control-regex
      expect(formatReport(report, "terminal")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }),
  );
});
