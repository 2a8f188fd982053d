/** One object under another name, or in another resource. For the engine it is a new resource. The recordings renamed, renamed-entries and swapped have the usual cases. */
import {
  digest,
  linesOf,
  recording,
  reportOf,
  stepOf,
  type Digest,
  type DigestStep,
  type State,
} from "../../../support/recorded";
import { testOutlines } from "./outline";

/** The recorded rename of crm, with edited states. */
function renameOfCrm(change: (old: State, fresh: State, preview: Digest) => void): Digest {
  const preview = digest("renamed-entries.digest");
  preview.steps = preview.steps.filter(({ urn }) => /::org-(crm|payments)$/.test(urn));
  const [old, fresh] = ["::org-crm", "::org-payments"].map((name) =>
    preview.steps.find(({ urn }) => urn.endsWith(name)),
  );
  if (!old?.oldState || !fresh?.newState) throw new Error("no rename of crm was recorded");
  change(old.oldState, fresh.newState, preview);
  return preview;
}

const withSteps = (...steps: DigestStep[]): Digest => ({ ...digest("replaced.digest"), steps });
const recordings = () => stepOf(digest("replaced.digest"), "org-recordings");
const audits = () => stepOf(digest("replaced.digest"), "org-audit_events");

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

/** Resources that are made anew in the organization `europe`, which was `eu`. */
function otherOrganization(old: string | undefined, fresh: string): Digest {
  const preview = digest("replaced.digest");
  const provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs";
  preview.steps = ["org-conversations", "org-carrier-a"].flatMap((name) => {
    const { urn, oldState, newState } = stepOf(preview, name);
    for (const values of [oldState.inputs, oldState.outputs])
      Object.assign(values, { organization: "eu", address: old });
    Object.assign(newState.inputs, { organization: "europe", address: fresh });
    oldState.provider = `${provider}::eu::1`;
    newState.provider = `${provider}::europe::2`;
    return [
      { op: "create", urn: urn.replace("::org-", "::europe-"), newState },
      { op: "delete", urn, oldState },
    ];
  });
  return preview;
}

const address = "https://voice.example.com";

testOutlines("renames", {
  "a rename that adopts loses the secret": () => renameOfCrm((_old, { inputs }) => (inputs.onCreate = "adopt")),
  "an id in other letter case is the same object": () =>
    renameOfCrm((_old, { inputs }) => (inputs.webhookId = String(inputs.webhookId).toUpperCase())),
  "a renamed retention policy reports both numbers, and that the guard does not compare them": () => {
    const { urn, oldState, newState } = stepOf(digest("unchanged.digest"), "org-recordings");
    const inputs = { ...newState.inputs, retentionDays: 90 };
    return withSteps(
      { op: "create", urn: `${urn}-2`, newState: { ...newState, inputs } },
      { op: "delete", urn, oldState },
    );
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
    const { newState, ...step } = recordings();
    const { urn, oldState } = audits();
    const inputs = { ...newState.inputs, resource: "audit_events" };
    return withSteps({ ...step, op: "replace", newState: { ...newState, inputs } }, { op: "delete", urn, oldState });
  },
  "a trunk that is only tracked sends nothing, so a rename saves nothing": () => {
    const preview = digest("renamed-entries.digest");
    preview.steps = preview.steps.filter(({ urn }) => /::org-(carrier-b|trunk)$/.test(urn));
    for (const { oldState, newState } of preview.steps) {
      if (oldState) oldState.outputs.cleared = false;
      if (newState) newState.inputs.cleared = false;
    }
    return preview;
  },
  "a name that is freed by one rename and taken by another: the freeing one comes first": () => {
    const { urn, oldState, newState } = stepOf(digest("unchanged.digest"), "org-billing");
    const preview = renameOfCrm(() => undefined);
    const created = preview.steps.filter(({ op }) => op === "create");
    const [crm] = preview.steps.filter(({ op }) => op === "delete");
    if (!crm) throw new Error("no rename of crm was recorded");
    preview.steps = [{ ...crm, op: "replace", newState }, { op: "delete", urn, oldState }, ...created];
    return preview;
  },
  "an organization with another name at the same address keeps what is declared, and onDelete does nothing": () =>
    otherOrganization(address, address),
  "and so does one whose address only the provider's own state has": () => {
    const preview = otherOrganization(undefined, address);
    const inputs = { "voiceplane:baseUrl": `${address}/`, "voiceplane:providerName": "eu" };
    const oldState = { type: "pulumi:providers:pulumi-nodejs", inputs, outputs: inputs };
    preview.steps.push({
      op: "delete",
      urn: "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::eu",
      oldState,
    });
    return preview;
  },
  "one at another address is another organization, and onDelete acts": () =>
    otherOrganization(address, "https://voice.example.net"),
});

test.each(["it's", "$(touch x)", "a b", "-y", "a`b"])(
  "no line is printed for a name that a shell may misread: %j",
  async (name) => {
    const preview = renameOfCrm(() => undefined);
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

test("a swap is the same in any order of the steps", async () => {
  const preview = digest("swapped.digest");
  preview.steps.reverse();
  expect(await reportOf(preview)).toEqual(await reportOf(recording("swapped.digest")));
});
