/** Which requests need no approval: a setting that is sent again unchanged, with reassertUnattended. The recordings due and due-unattended have them. */
import { digest, reportOf, stepOf, unknown, type Digest } from "../../../support/recorded";

type Due = ReturnType<typeof stepOf>;
type Edit = (step: Due, preview: Digest) => unknown;

const hiding =
  (value: string): Edit =>
  ({ oldState, newState }) => {
    for (const { inputs } of [oldState, newState]) inputs.reassertAfter = value;
  };

const removesDatabase: Digest["steps"][number] = {
  op: "delete",
  urn: "urn:pulumi:dev::previews::aws:rds/instance:Instance::db",
  oldState: { type: "aws:rds/instance:Instance", inputs: {}, outputs: {} },
};

test.each<[what: string, editCount: number, edit: Edit]>([
  ["with reassertUnattended", 0, () => undefined],
  ["without reassertUnattended in the state", 1, ({ oldState }) => delete oldState.inputs.reassertUnattended],
  ["without reassertUnattended in the program", 1, ({ newState }) => delete newState.inputs.reassertUnattended],
  ["with an edited option", 1, ({ newState }) => (newState.protect = true)],
  ["with an edit of another resource", 1, (_, all) => (stepOf(all, "org-runners").newState.inputs.mustInclude = [])],
  ["with a longer retention, which has no risk either", 1, ({ newState }) => (newState.inputs.retentionDays = 3650)],
  ["with a value that is secret", 1, hiding("[secret]")],
  ["with a value that is not known yet", 1, hiding(unknown)],
  ["after a lost answer", 1, ({ oldState }) => (oldState.outputs.uncertain = true)],
  ["beside a change of another provider", 1, (_, { steps }) => steps.push(removesDatabase)],
])("a setting that is due, %s: %d changes need an approval", async (_what, editCount, edit) => {
  const preview = digest("due.digest");
  preview.steps = preview.steps.filter(({ urn }) => !urn.endsWith("::org-crm"));
  const step = stepOf(preview, "org-conversations");
  for (const { inputs } of [step.oldState, step.newState]) inputs.reassertUnattended = true;
  edit(step, preview);
  const report = await reportOf(preview);
  expect(report.editCount).toBe(editCount);
  if (editCount === 0) expect(report).toMatchObject({ risks: [], changeCount: 1 });
});

test("a rotation that is due needs one", async () => {
  const preview = digest("due.digest");
  preview.steps = [stepOf(preview, "org-crm")];
  expect((await reportOf(preview)).editCount).toBe(1);
});
