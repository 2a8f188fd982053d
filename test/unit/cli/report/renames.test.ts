/** One object under another name, or in another resource. For the engine it is a new resource. The recordings renamed, renamed-entries and swapped have the usual cases. */
import {
  digest,
  linesOf,
  madeAnew,
  recording,
  reportOf,
  stepOf,
  type Digest,
  type DigestStep,
  type State,
} from "../../../support/recorded";
import { testOutlines } from "./outline";

/** The recorded renames, those of crm alone unless others are named. */
function renameOf(edit: (old: State, fresh: State) => void, names = /::org-(crm|payments)$/): Digest {
  const preview = digest("renamed-entries.digest");
  preview.steps = preview.steps.filter(({ urn }) => names.test(urn));
  const [old, fresh] = [
    preview.steps.find(({ op }) => op === "delete"),
    preview.steps.find(({ op }) => op === "create"),
  ];
  if (!old?.oldState || !fresh?.newState) throw new Error("no rename was recorded");
  edit(old.oldState, fresh.newState);
  return preview;
}

const unedited = () => undefined;
const unchanged = (name: string) => stepOf(digest("unchanged.digest"), name);
const withSteps = (...steps: DigestStep[]): Digest => ({ ...digest("replaced.digest"), steps });

/** The recorded steps of policies, each of which declares the kind of another one. */
function kindsMoved(moves: Readonly<Record<string, string>>): Digest {
  const preview = digest("replaced.digest");
  preview.steps = Object.entries(moves).map(([from, to]) => {
    const step = stepOf(preview, `org-${from}`);
    const { retentionDays } = stepOf(preview, `org-${to}`).newState.inputs;
    const inputs = { ...step.newState.inputs, resource: to, retentionDays };
    return { ...step, op: "replace", newState: { ...step.newState, inputs } };
  });
  return preview;
}

const provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs";

/** Resources that are made anew in the organization `europe`, which was `eu`. */
function otherOrganization(old: string | undefined, fresh: string): Digest {
  const preview = digest("replaced.digest");
  preview.steps = ["org-conversations", "org-carrier-a"].flatMap((name) => {
    const step = stepOf(preview, name);
    const { urn, oldState, newState } = step;
    for (const values of [oldState.inputs, oldState.outputs])
      Object.assign(values, { organization: "eu", address: old });
    Object.assign(newState.inputs, { organization: "europe", address: fresh });
    oldState.provider = `${provider}::eu::1`;
    newState.provider = `${provider}::europe::2`;
    return madeAnew(step, urn.replace("::org-", "::europe-"));
  });
  return preview;
}

const address = "https://voice.example.com";

testOutlines("renames", {
  "a rename that adopts loses the secret": () => renameOf((_old, { inputs }) => (inputs.onCreate = "adopt")),
  "an id in other letter case is the same object": () =>
    renameOf((_old, { inputs }) => (inputs.webhookId = String(inputs.webhookId).toUpperCase())),
  "hidden ids may be those of two objects": () =>
    renameOf(({ inputs: old, outputs }, { inputs }) => {
      for (const values of [old, outputs, inputs]) values.webhookId = "[secret]";
    }),
  "a renamed retention policy reports both numbers, and that the guard does not compare them": () => {
    const recordings = unchanged("org-recordings");
    recordings.newState.inputs.retentionDays = 90;
    return withSteps(...madeAnew(recordings, `${recordings.urn}-2`));
  },
  "two policies that swap their kinds are each compared with the other's old values": () => {
    const preview = kindsMoved({ recordings: "audit_events", audit_events: "recordings" });
    stepOf(preview, "org-recordings").newState.inputs.retentionDays = 365;
    stepOf(preview, "org-audit_events").newState.inputs.retentionDays = 2555;
    return preview;
  },
  "three policies that change places in a circle need four lines": () =>
    kindsMoved({ recordings: "conversations", conversations: "audit_events", audit_events: "recordings" }),
  "a policy that takes the kind of a removed one is compared with it": () => {
    const [recordings, { urn, oldState }] = [unchanged("org-recordings"), unchanged("org-audit_events")];
    recordings.newState.inputs.resource = "audit_events";
    return withSteps({ ...recordings, op: "replace" }, { op: "delete", urn, oldState });
  },
  "a trunk that is only tracked sends nothing, so a rename saves nothing": () =>
    renameOf(({ outputs }, { inputs }) => (outputs.cleared = inputs.cleared = false), /::org-(carrier-b|trunk)$/),
  "a name that is freed by one rename and taken by another: the freeing one comes first": () => {
    const { urn, oldState, newState } = unchanged("org-billing");
    const [created, crm] = renameOf(unedited).steps.sort((a, b) => (a.op < b.op ? -1 : 1)) as [DigestStep, DigestStep];
    return withSteps({ ...crm, op: "replace", newState }, { op: "delete", urn, oldState }, created);
  },
  "an organization with another name at the same address keeps what is declared, and onDelete does nothing": () =>
    otherOrganization(address, address),
  "and so does one whose address only the provider's own state has": () => {
    const preview = otherOrganization(undefined, address);
    const inputs = { "voiceplane:baseUrl": `${address}/`, "voiceplane:providerName": "eu" };
    const oldState = { type: "pulumi:providers:pulumi-nodejs", inputs, outputs: inputs };
    preview.steps.push({ op: "delete", urn: `${provider}::eu`, oldState });
    return preview;
  },
  "one at another address is another organization, and onDelete acts": () =>
    otherOrganization(address, "https://voice.example.net"),
});

test.each(["it's", "$(touch x)", "a b", "-y", "a`b"])(
  "no line is printed for a name that a shell may misread: %j",
  async (name) => {
    const preview = renameOf(unedited);
    for (const step of preview.steps) step.urn = step.urn.replace("::org-payments", `::${name}`);
    expect((await linesOf(preview))[1]).toMatch(
      /^crm: renamed to .*: add an alias in the program to avoid the request and to keep the secret in the state$/,
    );
    const swap = digest("swapped.digest");
    for (const step of swap.steps) step.urn = step.urn.replace("::org-billing", `::${name}`);
    expect((await linesOf(swap)).join("\n")).toMatch(
      /change places: rename them in the state before the update to avoid the request and to keep the secret in the state/,
    );
  },
);

test("nor for one whose former name a shell may misread", async () => {
  const preview = renameOf(unedited);
  for (const step of preview.steps) step.urn = step.urn.replace("::org-crm", "::it's");
  expect((await linesOf(preview))[1]).toMatch(/: add an alias in the program to avoid the request/);
});

test("a swap is the same in any order of the steps", async () => {
  const preview = digest("swapped.digest");
  preview.steps.reverse();
  expect(await reportOf(preview)).toEqual(await reportOf(recording("swapped.digest")));
});
