import { digest, reportOf, stepOf, told, type Digest } from "./recorded";

describe("what is due alone", () => {
  /** The recorded preview in which conversations are due, and nothing else of this package, and may be sent by the night. */
  function due(): { preview: Digest; step: ReturnType<typeof stepOf> } {
    const preview = digest("due.digest");
    preview.steps = preview.steps.filter(({ urn }) => !urn.endsWith("::org-crm"));
    const step = stepOf(preview, "org-conversations");
    for (const { inputs } of [step.oldState, step.newState]) inputs.reassertUnattended = true;
    return { preview, step };
  }
  const edits = async (preview: Digest) => (await reportOf(JSON.stringify(preview))).editCount;

  test("is a setting that is sent again as it was, where the declaration says that nobody has to look", async () => {
    const report = await reportOf(JSON.stringify(due().preview));
    expect(told(report)).toEqual([
      "conversations are set to 30 days again (due 2026-08-29): that undoes what was changed elsewhere",
    ]);
    expect([report.changeCount, report.editCount, report.risks]).toEqual([1, 0, []]);
  });

  test("is none without that word: what it replaces is not known", async () => {
    expect(await edits(digest("due.digest"))).toBe(2);
  });

  test("is none where the word is new", async () => {
    const { preview, step } = due();
    delete step.oldState.inputs.reassertUnattended;
    expect(await edits(preview)).toBe(1);
  });

  test("is no rotation, which is a risk", async () => {
    const preview = digest("due.digest");
    preview.steps = preview.steps.filter(({ urn }) => !urn.endsWith("::org-conversations"));
    expect(await edits(preview)).toBe(1);
  });

  test("is nothing whose options have been edited, or whose neighbours", async () => {
    const { preview, step } = due();
    step.newState.protect = true;
    expect(await edits(preview)).toBe(1);
    const other = due().preview;
    stepOf(other, "org-runners").newState.inputs.mustInclude = [];
    expect(await edits(other)).toBe(1);
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
