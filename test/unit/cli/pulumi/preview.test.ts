/** What is read of the events that Pulumi prints, and what makes a preview a failure. */
import { readPreview } from "../../../../src/cli/pulumi/preview";
import { digest, eventsOf, recording } from "../../../support/recorded";

const edited = digest("edited.digest");
const whole = eventsOf(edited);
const edits = (members: object) => eventsOf({ ...edited, ...members });
const withStep = (members: object) => edits({ steps: [{ ...edited.steps[1], ...members }] });
const andThen = (event: object) => `${whole}${JSON.stringify({ sequence: 999, ...event })}\n`;
const diagnosed = (severity: string) => edits({ diagnostics: [{ severity, message: "no" }] });
const no = { urn: "", message: "no" };
const unsupported =
  "Pulumi printed events in a format that this version of voiceplane does not support: if this Pulumi is new, update voiceplane";
const notEnded = "Pulumi's preview did not end";

test.each<[what: string, text: string, expected: object]>([
  ["with a good result", whole, { complete: true, errors: [], reason: undefined, unknownEvents: 0 }],
  ["in the line ends of Windows, with empty lines", whole.replaceAll("\n", "\r\n\r\n"), { complete: true }],
  ["after the lines of a download", `Downloading pulumi v3.259.0...\n${whole}`, { complete: true, unknownEvents: 0 }],
  ["with a warning", diagnosed("warning"), { complete: true, errors: [] }],
  ["with an error", diagnosed("error"), { complete: false, errors: [no] }],
  ["with an unknown severity, which counts as an error", diagnosed("fatal"), { complete: false, errors: [no] }],
  [
    "with an event of an unknown kind, which is counted",
    andThen({ noveltyEvent: {} }),
    { complete: true, unknownEvents: 1 },
  ],
  ["without a summary", whole.replace(/^.*"summaryEvent".*\n/m, ""), { complete: false, reason: notEnded }],
  [
    "with another result",
    whole.replace('"result":"succeeded"', '"result":"maybe"'),
    { complete: false, reason: notEnded },
  ],
  ["with an unknown operation", withStep({ op: "merge" }), { complete: false, reason: unsupported }],
  ["with an operation of every object", withStep({ op: "toString" }), { complete: false, reason: unsupported }],
  [
    "with a step without states",
    withStep({ oldState: undefined, newState: undefined }),
    { complete: false, reason: unsupported },
  ],
  ["with a step without a URN", withStep({ urn: undefined }), { complete: false, reason: unsupported }],
  ["with changes without their steps", edits({ steps: [] }), { complete: false, reason: unsupported }],
  [
    "of a failed program in YAML, whose errors the engine reports as standard error",
    andThen({ diagnosticEvent: { severity: "info#err", message: "no" } }).replace('"succeeded"', '"failed"'),
    { complete: false, errors: [no] },
  ],
  ["with nothing", "", { complete: false, reason: notEnded, steps: [] }],
])("a preview %s", (_what, text, expected) => {
  expect(readPreview(text, true)).toMatchObject(expected);
});

test("a CLI that fails before the first event is explained by its own error", () => {
  expect(readPreview("", false, "no stack selected")).toMatchObject({
    complete: false,
    errors: [{ urn: "", message: "no stack selected" }],
    reason: undefined,
  });
  expect(readPreview(whole, false, "")).toMatchObject({ complete: false });
});

test("a refusal repeats nothing of the input", () => {
  const text = withStep({ op: "canary-op", urn: "canary-urn", newState: { type: "canary-type" } });
  expect(readPreview(text, true).reason).toMatch(/^(?!.*canary)Pulumi printed events/);
});

test("a replacement is one step, and what an earlier one left to delete is another", () => {
  const { steps } = readPreview(recording("made-anew.digest"), true);
  const urns = steps.filter(({ op }) => op !== undefined).map(({ op, urn }) => `${op} ${urn}`);
  expect(new Set(urns).size).toBe(urns.length);
});
