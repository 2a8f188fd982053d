import { OutputError, readPreviewOrUpdate } from "../../../../src/cli/pulumi/preview-or-update";
import { digest, eventsOf, recording } from "../../../support/recorded";

const howToGetEvents =
  "pass the output of `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json`, or of `pulumi up --json`";
const unknownFormat = (what: string) =>
  `the input is JSON in a format that this version of voiceplane does not support: ${what}; ${howToGetEvents}`;
const notJson = (line: number) => `the input is not JSON (line ${line}): ${howToGetEvents}`;
const empty = `the input is empty: ${howToGetEvents}`;
const noEvents = unknownFormat("it is not a list of events");

const edited = digest("edited.digest");
const edits = (members: object) => eventsOf({ ...edited, ...members });
const withStep = (members: object) => edits({ steps: [{ ...edited.steps[1], ...members }] });

test.each([
  ["nothing", "", empty],
  ["white space", " \n\r\n", empty],
  ["text", "Previewing update (dev):", notJson(1)],
  [
    "an event cut short",
    recording("edited.events").slice(0, -10),
    notJson(recording("edited.events").trimEnd().split("\n").length),
  ],
  ["events with a warning in front", `warning: a\n${recording("edited.events")}`, notJson(1)],
  ["a number", "3", noEvents],
  ["null", "null", noEvents],
  ["a list", "[]", noEvents],
  ["another tool's JSON", '{"duration":1,"files":[]}', noEvents],
  ["a preview as one document", JSON.stringify(edited), noEvents],
  [
    "a preview as one document, as the CLI prints it",
    JSON.stringify(edited, null, 4),
    unknownFormat("it is one document, and not a list of events"),
  ],
  ["a stack's state", '{"version":3,"deployment":{"resources":[]}}', noEvents],
  [
    "a step without a URN",
    withStep({ urn: undefined }),
    unknownFormat("resourcePreEvent.metadata is not valid in an event"),
  ],
  ["an unknown operation", withStep({ op: "merge" }), unknownFormat("a step has an operation that is not known")],
  [
    "an operation of every object",
    withStep({ op: "toString" }),
    unknownFormat("a step has an operation that is not known"),
  ],
  [
    "a step without states",
    withStep({ oldState: undefined, newState: undefined }),
    unknownFormat("a step has neither an old nor a new state"),
  ],
  [
    "inputs that are no map",
    withStep({ newState: { type: "t", inputs: 3 } }),
    unknownFormat("resourcePreEvent.metadata is not valid in an event"),
  ],
  ["changes without their steps", edits({ steps: [] }), unknownFormat("it counts changes, but has no steps for them")],
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
  const text = withStep({ op: "canary-op", urn: "canary-urn", newState: { type: "canary-type" } });
  expect(() => readPreviewOrUpdate(text)).toThrow(/^(?!.*canary)the input is JSON/);
});

test.each([
  ["a byte order mark", (text: string) => `\uFEFF${text}`],
  ["the line ends of Windows", (text: string) => text.replaceAll("\n", "\r\n")],
  ["empty lines", (text: string) => text.replaceAll("\n", "\n\n")],
])("events with %s are read", (_how, change) => {
  expect(readPreviewOrUpdate(change(recording("edited.events")))).toEqual(
    readPreviewOrUpdate(recording("edited.events")),
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

test("a preview that has an error is incomplete", () => {
  expect(readPreviewOrUpdate(edits({})).complete).toBe(true);
  expect(readPreviewOrUpdate(edits({ diagnostics: [{ severity: "error", message: "no" }] })).complete).toBe(false);
  expect(readPreviewOrUpdate(edits({ diagnostics: [{ severity: "warning", message: "hm" }] })).complete).toBe(true);
});
