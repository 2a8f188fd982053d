/** Which requests need no approval: a setting that is sent again unchanged, with reassertUnattended. The recordings due and due-unattended have them. */
import { digest, reportOf, stepOf, unknown, type Digest } from "../../../support/recorded";

type Due = ReturnType<typeof stepOf>;

/** The recorded preview in which only conversations are due, with reassertUnattended. */
function due(edit: (step: Due, preview: Digest) => void): Digest {
  const preview = digest("due.digest");
  preview.steps = preview.steps.filter(({ urn }) => !urn.endsWith("::org-crm"));
  const step = stepOf(preview, "org-conversations");
  for (const { inputs } of [step.oldState, step.newState]) inputs.reassertUnattended = true;
  edit(step, preview);
  return preview;
}

test("a setting that is sent again unchanged, with reassertUnattended, needs no approval", async () => {
  const { risks, changeCount, editCount } = await reportOf(due(() => undefined));
  expect({ risks, changeCount, editCount }).toEqual({ risks: [], changeCount: 1, editCount: 0 });
});

test.each<[string, (step: Due, preview: Digest) => void]>([
  ["without reassertUnattended in the state", ({ oldState }) => delete oldState.inputs.reassertUnattended],
  ["without reassertUnattended in the program", ({ newState }) => delete newState.inputs.reassertUnattended],
  ["with an edited option", ({ newState }) => (newState.protect = true)],
  ["with an edit of another resource", (_, all) => (stepOf(all, "org-runners").newState.inputs.mustInclude = [])],
  ["with a longer retention, which has no risk either", ({ newState }) => (newState.inputs.retentionDays = 3650)],
  ["with a value that is secret", hiding("[secret]")],
  ["with a value that is not known yet", hiding(unknown)],
  ["after a lost answer", ({ oldState }) => (oldState.outputs.uncertain = true)],
  [
    "beside a change of another provider",
    (_step, { steps }) =>
      steps.push({
        op: "delete",
        urn: "urn:pulumi:dev::previews::aws:rds/instance:Instance::db",
        oldState: { type: "aws:rds/instance:Instance", inputs: {}, outputs: {} },
      }),
  ],
])("%s it needs one", async (_what, edit) => {
  expect((await reportOf(due(edit))).editCount).toBe(1);
});

function hiding(value: string) {
  return ({ oldState, newState }: Due): void => {
    for (const { inputs } of [oldState, newState]) inputs.reassertAfter = value;
  };
}

test("a rotation that is due needs one", async () => {
  const preview = digest("due.digest");
  preview.steps = preview.steps.filter(({ urn }) => urn.endsWith("::org-crm"));
  expect((await reportOf(preview)).editCount).toBe(1);
});
