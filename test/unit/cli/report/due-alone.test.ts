import { changeLines, digest, recording, reportOf, stepOf, unknown, type Digest } from "../../../support/recorded";

describe("an unattended request", () => {
  /** The recorded preview in which only conversations are due, with reassertUnattended. */
  function due(): { preview: Digest; step: ReturnType<typeof stepOf> } {
    const preview = digest("due.digest");
    preview.steps = preview.steps.filter(({ urn }) => !urn.endsWith("::org-crm"));
    const step = stepOf(preview, "org-conversations");
    for (const { inputs } of [step.oldState, step.newState]) inputs.reassertUnattended = true;
    return { preview, step };
  }
  const edits = async (preview: Digest) => (await reportOf(preview)).editCount;

  test("is a setting that is sent again unchanged, with reassertUnattended", async () => {
    const report = await reportOf(due().preview);
    expect(changeLines(report)).toEqual([
      "conversations: sends 30 days again (due 2026-08-29); replaces whatever was set elsewhere",
    ]);
    expect([report.changeCount, report.editCount, report.risks]).toEqual([1, 0, []]);
  });

  test("is an update that the engine shows only for the due date", async () => {
    const report = await reportOf(recording("due-unattended.digest"));
    expect(changeLines(report)).toEqual([
      "example: conversations: sends 60 days again (due 2026-08-29); replaces whatever was set elsewhere",
    ]);
    expect([report.changeCount, report.editCount, report.risks]).toEqual([1, 0, []]);
  });

  test("needs reassertUnattended, because what it replaces is not known", async () => {
    expect(await edits(digest("due.digest"))).toBe(2);
  });

  test("needs reassertUnattended in the state too", async () => {
    const { preview, step } = due();
    delete step.oldState.inputs.reassertUnattended;
    expect(await edits(preview)).toBe(1);
  });

  test("is not a rotation, which is a risk", async () => {
    const preview = digest("due.digest");
    preview.steps = preview.steps.filter(({ urn }) => !urn.endsWith("::org-conversations"));
    expect(await edits(preview)).toBe(1);
  });

  test("has no edited options, and no edits of other resources in the same preview", async () => {
    const { preview, step } = due();
    step.newState.protect = true;
    expect(await edits(preview)).toBe(1);
    const other = due().preview;
    stepOf(other, "org-runners").newState.inputs.mustInclude = [];
    expect(await edits(other)).toBe(1);
  });

  test("is not a longer retention, even if it is due as well and has no risk", async () => {
    const { preview, step } = due();
    step.newState.inputs.retentionDays = 3650;
    const report = await reportOf(preview);
    expect(changeLines(report)).toEqual(["conversations: 30 → 3650 days (due 2026-08-29)"]);
    expect([report.risks, report.editCount]).toEqual([[], 1]);
  });

  test("is not a request of another provider", async () => {
    const { preview } = due();
    const state = { type: "aws:rds/instance:Instance", inputs: {}, outputs: {} };
    const urn = "urn:pulumi:dev::previews::aws:rds/instance:Instance::db";
    preview.steps.push({ op: "delete", urn, oldState: state });
    const report = await reportOf(preview);
    expect([report.risks, report.editCount]).toEqual([[], 1]);
  });

  test.each([
    ["a secret", "[secret]"],
    ["not known yet", unknown],
  ])("has no hidden values, such as a value that is %s", async (_name, value) => {
    const { preview, step } = due();
    for (const { inputs } of [step.oldState, step.newState]) inputs.reassertAfter = value;
    expect(await edits(preview)).toBe(1);
  });

  test("is not sent after a lost answer", async () => {
    const { preview, step } = due();
    step.oldState.outputs.uncertain = true;
    expect(await edits(preview)).toBe(1);
  });
});
