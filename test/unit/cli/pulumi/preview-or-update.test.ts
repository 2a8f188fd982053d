import { join } from "node:path";
import { OutputError } from "../../../../src/cli/pulumi/events";
import { readPreview, readUpdate } from "../../../../src/cli/pulumi/preview-or-update";
import { testApproved } from "../../../support/approved";
import { digest, eventsOf, recording } from "../../../support/recorded";

const whole = recording("edited.events");
const edited = digest("edited.digest");
const edits = (members: object) => eventsOf({ ...edited, ...members });
const withStep = (members: object) => edits({ steps: [{ ...edited.steps[1], ...members }] });

/** The message, which is one line. */
const refusal = (text: string) => (): Promise<string> => {
  try {
    readPreview(text);
  } catch (error) {
    expect(error).toBeInstanceOf(OutputError);
    expect((error as Error).message).not.toContain("\n");
    return Promise.resolve((error as Error).message);
  }
  return Promise.reject(new Error("it was read"));
};

testApproved(join(__dirname, "approved/refused-events.md"), {
  text: refusal("Previewing update (dev):"),
  "an event cut short": refusal(recording("broken-file.events").slice(0, -10)),
  "events with a warning in front": refusal(`warning: a\n${whole}`),
  "a list": refusal("[]"),
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
  expect(() => readPreview(text)).toThrow(/^(?!.*canary)pulumi printed events/);
});

test.each([
  ["the line ends of Windows", (text: string) => text.replaceAll("\n", "\r\n")],
  ["empty lines", (text: string) => text.replaceAll("\n", "\n\n")],
])("events with %s are read", (_how, change) => {
  expect(readPreview(change(whole))).toEqual(readPreview(whole));
});

const andThen = (event: object) => `${whole}${JSON.stringify({ sequence: 999, ...event })}\n`;
const diagnosed = (severity: string) => edits({ diagnostics: [{ severity, message: "no" }] });
const no = { urn: "", message: "no" };

test.each([
  ["with a good result", whole, true, []],
  ["with a warning", diagnosed("warning"), true, []],
  ["with an error", diagnosed("error"), false, [no]],
  ["with an unknown severity, which counts as an error", diagnosed("fatal"), false, [no]],
  ["with an event of an unknown kind", andThen({ noveltyEvent: {} }), false, []],
  ["without a summary", whole.replace(/^.*"summaryEvent".*\n/m, ""), false, []],
  ["with an unknown result", whole.replace('"result":"succeeded"', '"result":"maybe"'), false, []],
  ["without a result", whole.replace('"result":"succeeded"', '"other":1'), false, []],
  [
    "of a failed program in YAML, whose errors the engine reports as standard error",
    andThen({ diagnosticEvent: { severity: "info#err", message: "no" } }).replace('"succeeded"', '"failed"'),
    false,
    [no],
  ],
])("whether a preview is complete, and its errors: one %s", (_what, text, complete, errors) => {
  expect(readPreview(text)).toMatchObject({ complete, errors });
});

const updated = recording("up.events");
const { steps, complete } = readUpdate(updated, true);

test.each<[what: string, text: string, lines: number, lost: number]>([
  ["an event of an unknown kind", `${updated}{"sequence":999,"noveltyEvent":{}}\n`, 1, 0],
  ["a line that is no event", `a warning of the CLI\n${updated}`, 1, 0],
  ["an event of another shape", `${updated}{"sequence":999,"resourcePreEvent":{}}\n`, 1, 0],
  ["a step with an unknown operation", updated.replace(/(resourcePreEvent.*?"op":)"update"/, '$1"merge"'), 1, 1],
  ["nothing that is unknown", updated, 0, 0],
])("an update that has succeeded is read with %s, which is counted", (_what, text, lines, lost) => {
  const read = readUpdate(text, true);
  expect([read.complete, read.unknownEvents, read.steps.length]).toEqual([true, lines, steps.length - lost]);
});

test("what is known of it is read as in a preview", () => {
  expect(complete).toBe(true);
  expect(readUpdate(updated, true)).toEqual({ ...readPreview(updated), phase: "update", unknownEvents: 0 });
});
