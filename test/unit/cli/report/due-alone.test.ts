/** Which requests need no approval: a setting that is sent again unchanged, with reassertUnattended. The recordings due and due-unattended have them. */
import { digest, reportOf, stepOf, unknown, type Digest } from "../../../support/recorded";

type Due = ReturnType<typeof stepOf>;
type Edit = (step: Due, preview: Digest) => unknown;

const hiding =
  (value: string): Edit =>
  ({ oldState, newState }) => {
    for (const { inputs } of [oldState, newState]) inputs.reassertAfter = value;
  };

const attendedIn =
  (program: "oldState" | "newState"): Edit =>
  (step) =>
    delete step[program].inputs.reassertUnattended;

const editRunners = (preview: Digest) => (stepOf(preview, "org-runners").newState.inputs.mustInclude = []);

const removesDatabase: Digest["steps"][number] = {
  op: "delete",
  urn: "urn:pulumi:dev::previews::aws:rds/instance:Instance::db",
  oldState: { type: "aws:rds/instance:Instance", inputs: {}, outputs: {} },
};

test.each<[what: string, editCount: number, edit: Edit, risks?: string[]]>([
  ["with reassertUnattended", 0, () => undefined],
  ["without reassertUnattended in the state", 1, attendedIn("oldState"), ["deletes data", "weakens a guard"]],
  ["without reassertUnattended in the program", 1, attendedIn("newState"), ["deletes data"]],
  ["with an edited option", 1, ({ newState }) => (newState.protect = true)],
  ["with an edit of another resource", 1, (_, all) => editRunners(all), ["weakens a guard"]],
  ["with a longer retention, which has no risk either", 1, ({ newState }) => (newState.inputs.retentionDays = 3650)],
  ["with a value that is secret", 1, hiding("[secret]")],
  ["with a value that is not known yet", 1, hiding(unknown)],
  ["after a lost answer", 1, ({ oldState }) => (oldState.outputs.uncertain = true), ["deletes data"]],
  ["beside a change of another provider", 1, (_, { steps }) => steps.push(removesDatabase)],
])("a setting that is due, %s: %d changes need an approval", async (_what, editCount, edit, risks = []) => {
  const preview = digest("due.digest");
  preview.steps = preview.steps.filter(({ urn }) => !urn.endsWith("::org-crm"));
  const step = stepOf(preview, "org-conversations");
  for (const { inputs } of [step.oldState, step.newState]) inputs.reassertUnattended = true;
  edit(step, preview);
  const report = await reportOf(preview);
  expect(report.editCount).toBe(editCount);
  expect(report.risks).toEqual(risks);
  if (editCount === 0) expect(report.changeCount).toBe(1);
});

test("changes of other providers are counted, by their types and verbs", async () => {
  const bucket = { type: "aws:s3/bucket:Bucket", inputs: {}, outputs: {} };
  const createsBucket = { op: "create", urn: "urn:pulumi:dev::previews::aws:s3/bucket:Bucket::logs", newState: bucket };
  const steps = [createsBucket, removesDatabase, { ...removesDatabase, urn: `${removesDatabase.urn}-2` }];
  expect(await reportOf({ ...digest("unchanged.digest"), steps })).toMatchObject({
    ...{ summary: "no requests, 3 other changes", changeCount: 3, editCount: 3 },
    others: [
      { type: "aws:rds/instance:Instance", counts: { delete: 2 } },
      { type: "aws:s3/bucket:Bucket", counts: { create: 1 } },
    ],
  });
});

test("a rotation that is due needs one", async () => {
  const preview = digest("due.digest");
  preview.steps = [stepOf(preview, "org-crm")];
  expect((await reportOf(preview)).editCount).toBe(1);
});
