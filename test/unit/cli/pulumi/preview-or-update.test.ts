import { join } from "node:path";
import { OutputError, readPreviewOrUpdate } from "../../../../src/cli/pulumi/preview-or-update";
import { testApproved } from "../../../support/approved";
import { digest, eventsOf, recording } from "../../../support/recorded";

const edited = digest("edited.digest");
const edits = (members: object) => eventsOf({ ...edited, ...members });
const withStep = (members: object) => edits({ steps: [{ ...edited.steps[1], ...members }] });

/** The message, which is one line. */
const refusal = (text: string) => (): Promise<string> => {
  try {
    readPreviewOrUpdate(text);
  } catch (error) {
    expect(error).toBeInstanceOf(OutputError);
    expect((error as Error).message).not.toContain("\n");
    return Promise.resolve((error as Error).message);
  }
  return Promise.reject(new Error("it was read"));
};

testApproved(join(__dirname, "approved/refused-events.md"), {
  nothing: refusal(""),
  text: refusal("Previewing update (dev):"),
  "an event cut short": refusal(recording("broken-file.events").slice(0, -10)),
  "events with a warning in front": refusal(`warning: a\n${recording("edited.events")}`),
  "a list": refusal("[]"),
  "a preview as one document": refusal(JSON.stringify(edited)),
  "a preview as one document, as the CLI prints it": refusal(JSON.stringify(edited, null, 4)),
  "a step without a URN": refusal(withStep({ urn: undefined })),
  "an unknown operation": refusal(withStep({ op: "merge" })),
  "an operation of every object": refusal(withStep({ op: "toString" })),
  "a step without states": refusal(withStep({ oldState: undefined, newState: undefined })),
  "inputs that are no map": refusal(withStep({ newState: { type: "t", inputs: 3 } })),
  "changes without their steps": refusal(edits({ steps: [] })),
  "an event of another shape": refusal('{"sequence":1,"resourcePreEvent":{}}'),
});

test("the refusal repeats nothing of the input", () => {
  const text = withStep({ op: "canary-op", urn: "canary-urn", newState: { type: "canary-type" } });
  expect(() => readPreviewOrUpdate(text)).toThrow(/^(?!.*canary)the input has events/);
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
