/** One object under another name, or in another resource. For the engine it is a new resource. The recordings renamed, renamed-entries and swapped have the usual cases. */
import {
  digest,
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

/** A trunk and a webhook that are removed, in a preview with `refresh: always`. */
function removedAfterRefresh(): Digest {
  return withSteps(
    ...["org-carrier-a", "org-crm"].flatMap((name): DigestStep[] => {
      const { urn, oldState, newState } = unchanged(name);
      return [
        { op: "refresh", urn, oldState, newState },
        { op: "delete", urn, oldState },
      ];
    }),
  );
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
  "three policies that change places in a circle": () =>
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
  "a state that a preview refreshes is not declared, so what is removed is sent": removedAfterRefresh,
  "what moves to another address with its provider is not declared by one at the old address": () => {
    const [kept, trunk] = [unchanged("org-carrier-b"), unchanged("org-carrier-a")];
    kept.newState.inputs.address = "https://voice.example.net";
    const newState = { ...trunk.newState, inputs: { ...trunk.newState.inputs, organization: "eu" } };
    newState.provider = `${provider}::eu::2`;
    return withSteps({ ...kept, op: "update" }, ...madeAnew({ ...trunk, newState }, `${trunk.urn}-eu`));
  },
});

const place = ({ key }: { readonly key?: string | undefined }) =>
  key === "payments" ? "organization.yaml:9" : undefined;

test("a rename says how it keeps the state, with the line of the entry", async () => {
  const { changes, complete } = await reportOf(renameOf(unedited), { placeOf: place });
  expect(changes.map(({ text }) => text)).toContain(
    "crm: renamed to payments, and sends nothing for the old name: add `formerly: crm` to payments (organization.yaml:9) to avoid the " +
      "request and to keep the secret in the state",
  );
  // It rotates: the new secret is in the state.
  expect(complete).toBe(true);
});

const organization = "voiceplane:index:Organization";

test.each<[what: string, move: (old: DigestStep) => void, text: string]>([
  [
    "into an Organization",
    (old) => {
      old.urn = old.urn.replace(`${organization}$`, "").replace("::org-", "::");
      if (old.oldState) old.oldState.parent = "urn:pulumi:dev::previews::pulumi:pulumi:Stack::previews-dev";
    },
    "now payments, an entry of org, and sends nothing for the old resource: add `formerly: crm` to payments",
  ],
  [
    "into an Organization, from a component of the user's",
    (old) => {
      old.urn = old.urn.replace(organization, "my:index:Webhooks").replace("::org-", "::");
      if (old.oldState) old.oldState.parent = "urn:pulumi:dev::previews::my:index:Webhooks::mine";
    },
    "now payments, an entry of org, and sends nothing for the old resource: move it in two steps, first out of its component with an alias, and then into org",
  ],
  [
    "into another Organization",
    (old) => {
      old.urn = old.urn.replace("::org-", "::acme-");
      if (old.oldState) old.oldState.parent = `urn:pulumi:dev::previews::${organization}::acme`;
    },
    "an entry of org, and sends nothing for the old resource: add an alias with the name acme to the Organization org",
  ],
])("a webhook that moves %s has advice that can be followed", async (_what, move, text) => {
  const preview = renameOf(unedited);
  const old = preview.steps.find(({ op }) => op === "delete");
  if (!old) throw new Error("no rename was recorded");
  move(old);
  const { changes } = await reportOf(preview);
  expect(changes.map((change) => change.text).join("\n")).toContain(`${text} to avoid the request`);
});

test.each<[what: string, complete: boolean, edit: (old: State, fresh: State) => void]>([
  [
    "adopts where the old state has the only copy of a secret",
    false,
    (_old, { inputs }) => (inputs.onCreate = "adopt"),
  ],
  [
    "does so where the secret may be in the answer alone",
    false,
    ({ outputs }, { inputs }) => {
      outputs.data = outputs.secret;
      delete outputs.secret;
      inputs.onCreate = "adopt";
    },
  ],
  [
    "has the secret in the program",
    true,
    (_old, { inputs }) => Object.assign(inputs, { onCreate: "adopt", initialSecret: "[secret]" }),
  ],
  [
    "has no secret to lose",
    true,
    ({ outputs }, { inputs }) => {
      delete outputs.secret;
      delete outputs.data;
      inputs.onCreate = "adopt";
    },
  ],
  [
    "makes it another organization, where it is refused by itself or managed anew",
    true,
    (_old, { inputs }) => Object.assign(inputs, { onCreate: "adopt", organization: "other" }),
  ],
])("a preview of a rename that %s is complete: %j", async (_what, complete, edit) => {
  const report = await reportOf(renameOf(edit), { placeOf: place });
  const refused =
    "crm: only this state has the secret of this webhook, so the update is refused: " +
    "add `formerly: crm` to payments (organization.yaml:9)";
  expect([report.complete, report.errors]).toEqual([complete, complete ? [] : [refused]]);
  if (!complete) expect(report.summary).toMatch(/^the preview failed/);
});

test.each<[what: string, to: string | undefined, ways: string]>([
  ["that a replacement has left", undefined, "change triggers, which rotates"],
  [
    "of a former name, beside that of the new one",
    "org-crm-x",
    "go back to its former name, run `pulumi up`, which sends nothing, and add `formerly: crm` to crm-x",
  ],
])("the deletion of a state %s, with the only copy of the secret, is refused", async (_what, to, ways) => {
  const { urn, oldState, newState } = unchanged("org-crm");
  const { secret: _secret, data: _data, ...outputs } = oldState.outputs;
  const declared = { op: "same", urn: urn.replace(/org-crm$/, to ?? "org-crm"), newState };
  const report = await reportOf(
    withSteps({ ...declared, oldState: { ...oldState, outputs } }, { op: "delete", urn, oldState }),
  );
  expect([report.complete, report.errors]).toEqual([
    false,
    [`crm: only this state has the secret of this webhook, so the update is refused: ${ways}`],
  ]);
});

test("the secret of the webhook that a resource had before is not that of the one that it takes over", async () => {
  const [crm, billing] = [unchanged("org-crm"), unchanged("org-billing")];
  Object.assign(billing.newState.inputs, { webhookId: crm.newState.inputs.webhookId, onCreate: "adopt" });
  delete billing.newState.inputs.initialSecret;
  const removed = { op: "delete", urn: crm.urn, oldState: crm.oldState };
  const { complete, errors } = await reportOf(withSteps({ ...billing, op: "replace" }, removed));
  expect([complete, errors]).toEqual([
    false,
    [
      "crm: only this state has the secret of this webhook, so the update is refused: declare the webhook with " +
        'onCreate: "adopt" and initialSecret from a secret of the configuration',
    ],
  ]);
});

test.each<[what: string, edit: (step: DigestStep & Record<"oldState" | "newState", State>) => void]>([
  ["that is unchanged", ({ newState }) => (newState.retainOnDelete = true)],
  ["that is replaced", (step) => (Object.assign(step, { op: "replace" }).newState.retainOnDelete = true)],
  [
    "that is replaced where only the state has it",
    (step) => (Object.assign(step, { op: "replace" }).oldState.retainOnDelete = true),
  ],
])("a webhook %s may not have retainOnDelete", async (_what, edit) => {
  const step = unchanged("org-crm");
  edit(step);
  const preview = { ...withSteps(step), changeSummary: {} };
  const { complete, errors } = await reportOf(preview, { placeOf: () => "Pulumi.yaml:8" });
  expect([complete, errors]).toEqual([
    false,
    [
      "crm (Pulumi.yaml:8): with retainOnDelete, the engine can drop the only stored copy of the secret without asking the provider: " +
        "remove the option, in an update of its own [option-loses-secret]",
    ],
  ]);
});

test("a swap is the same in any order of the steps", async () => {
  const preview = digest("swapped.digest");
  preview.steps.reverse();
  expect(await reportOf(preview)).toEqual(await reportOf(recording("swapped.digest")));
});
