import { OutputError, readPreviewOrUpdate } from "../../../../src/cli/pulumi/preview-or-update";
import { digest, recording } from "../../../support/recorded";

const expected = "(it supports `pulumi preview --json` and the events of `pulumi up --json`)";
const unknownFormat = (what: string) =>
  `the input is JSON in a format that this version of voiceplane does not support: ${what} ${expected}`;
const notJson = (line: number) =>
  `the input is not JSON (line ${line}): pass the complete output of \`pulumi preview --json\``;
const empty = "the input is empty: pass the output of `pulumi preview --json`";

const edited = digest("edited.digest");
const edits = (members: object) => JSON.stringify({ ...edited, ...members });
const withStep = (members: object) => edits({ steps: [{ ...edited.steps[1], ...members }] });

test.each([
  ["nothing", "", empty],
  ["white space", " \n\r\n", empty],
  ["text", "Previewing update (dev):", notJson(1)],
  ["a preview cut short", recording("edited.digest").slice(0, 9000), notJson(1)],
  [
    "an event cut short",
    recording("edited.events").slice(0, -10),
    notJson(recording("edited.events").trimEnd().split("\n").length),
  ],
  ["a preview with a warning in front", `warning: a\n${recording("edited.digest")}`, notJson(1)],
  ["a number", "3", unknownFormat("it is not a preview")],
  ["null", "null", unknownFormat("it is not a preview")],
  ["a list", "[]", unknownFormat("it is not a preview")],
  ["an empty object", "{}", unknownFormat("it is not a preview")],
  ["another tool's JSON", '{"duration":1,"files":[]}', unknownFormat("it is not a preview")],
  ["a stack's state", '{"version":3,"deployment":{"resources":[]}}', unknownFormat("it is not a preview")],
  ["a preview with a version", edits({ version: 2 }), unknownFormat("it is not a preview")],
  ["steps that are no list", edits({ steps: {} }), unknownFormat("steps is not valid in a preview")],
  ["a step without a URN", withStep({ urn: undefined }), unknownFormat("steps.0 is not valid in a preview")],
  ["an unknown operation", withStep({ op: "merge" }), unknownFormat("a step has an operation that is not known")],
  [
    "an operation of every object",
    withStep({ op: "toString" }),
    unknownFormat("a step has an operation that is not known"),
  ],
  [
    "a step without states",
    withStep({ oldState: null, newState: null }),
    unknownFormat("a step has neither an old nor a new state"),
  ],
  [
    "inputs that are no map",
    withStep({ newState: { type: "t", inputs: 3 } }),
    unknownFormat("steps.0 is not valid in a preview"),
  ],
  ["changes without their steps", edits({ steps: [] }), unknownFormat("it counts changes, but has no steps for them")],
  [
    "renamed steps",
    JSON.stringify({ ...edited, steps: undefined, operations: edited.steps, duration: 1 }),
    unknownFormat("it is not a preview"),
  ],
  [
    "an event of another shape",
    '{"sequence":1,"resourcePreEvent":{}}',
    unknownFormat("resourcePreEvent.metadata is not valid in an event"),
  ],
])("%s is refused in one line", (_what, text, message) => {
  expect(() => readPreviewOrUpdate(text)).toThrow(new OutputError(message));
  expect(message).not.toContain("\n");
});

test("the refusal repeats nothing of the input", () => {
  const text = edits({ steps: [{ op: "canary-op", urn: "canary-urn", newState: { type: "canary-type" } }] });
  expect(() => readPreviewOrUpdate(text)).toThrow(/^(?!.*canary)the input is JSON/);
});

test.each([
  ["with a byte order mark", (text: string) => `\uFEFF${text}`],
  ["with the line ends of Windows", (text: string) => text.replaceAll("\n", "\r\n")],
  ["laid out on one line", (text: string) => JSON.stringify(JSON.parse(text))],
  ["laid out with two spaces", (text: string) => JSON.stringify(JSON.parse(text), null, 2)],
  [
    "laid out in no way of the CLI's",
    (text: string) => `\n${JSON.stringify(JSON.parse(text), null, "\t").replace("{\n", "{")}`,
  ],
])("a preview %s is read", (_how, change) => {
  expect(readPreviewOrUpdate(change(recording("edited.digest")))).toEqual(
    readPreviewOrUpdate(recording("edited.digest")),
  );
});

test("events that end without a summary are incomplete", () => {
  const lines = recording("edited.events").split("\n");
  const cut = lines.filter((line) => !line.includes('"summaryEvent"')).join("\n");
  expect(readPreviewOrUpdate(recording("edited.events")).complete).toBe(true);
  expect(readPreviewOrUpdate(cut).complete).toBe(false);
});

test("a preview with an event of an unknown kind counts as failed", () => {
  const text = `${recording("edited.events")}{"sequence":999,"timestamp":0,"noveltyEvent":{}}\n`;
  expect(readPreviewOrUpdate(text).complete).toBe(false);
});

test("a preview whose summary names no good result counts as failed", () => {
  const text = recording("edited.events").replace('"result":"succeeded"', '"result":"maybe"');
  expect(readPreviewOrUpdate(text).complete).toBe(false);
  expect(readPreviewOrUpdate(text.replace('"result":"maybe"', '"other":1')).complete).toBe(false);
});

test("the errors of a program in YAML, which the engine reports as standard error, make a preview a failed one", () => {
  const diagnostics = [
    { severity: "info#err", message: "Error: dayz is not a property\n" },
    { severity: "info#err", message: "  on Pulumi.yaml line 12:\n" },
  ];
  const { complete, errors } = readPreviewOrUpdate(edits({ diagnostics }));
  expect(complete).toBe(false);
  expect(errors).toEqual([{ urn: "", message: "Error: dayz is not a property\n  on Pulumi.yaml line 12:\n" }]);
  const failed = recording("edited.events")
    .replace('"result":"succeeded"', '"result":"failed"')
    .replace(/$/, `{"sequence":999,"diagnosticEvent":{"severity":"info#err","message":"Error: no"}}\n`);
  expect(readPreviewOrUpdate(failed)).toMatchObject({ complete: false, errors: [{ urn: "", message: "Error: no" }] });
});

test("an unknown severity counts as an error", () => {
  const { complete, errors } = readPreviewOrUpdate(edits({ diagnostics: [{ severity: "fatal", message: "no" }] }));
  expect(complete).toBe(false);
  expect(errors).toEqual([{ urn: "", message: "no" }]);
});

test("for a preview followed by its update, the update counts", () => {
  const both = recording("edited.digest") + recording("lost-answers.events");
  expect(readPreviewOrUpdate(both)).toEqual(readPreviewOrUpdate(recording("lost-answers.events")));
});

test("a stack without resources has no steps", () => {
  expect(readPreviewOrUpdate('{\n    "config": {},\n    "duration": 1\n}\n').steps).toEqual([]);
});

test("a preview that may be corrupt, or has an error, is incomplete", () => {
  expect(readPreviewOrUpdate(edits({})).complete).toBe(true);
  expect(readPreviewOrUpdate(edits({ maybeCorrupt: true })).complete).toBe(false);
  expect(readPreviewOrUpdate(edits({ diagnostics: [{ severity: "error", message: "no" }] })).complete).toBe(false);
  expect(readPreviewOrUpdate(edits({ diagnostics: [{ severity: "warning", message: "hm" }] })).complete).toBe(true);
});
