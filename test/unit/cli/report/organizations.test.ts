/**
 * The report names where requests go, and reports a change of address or of an organization's name once. The recordings moved,
 * moved-edited, elsewhere, another-organization and organization-renamed have the usual cases.
 */
import { digest, madeAnew, stepOf, unknown, type Declared, type Digest, type Values } from "../../../support/recorded";
import { testOutlines } from "./outline";

const here = "https://voice.example.com";
const there = "https://voice.example.net/api";

const provider = (name: string) => `urn:pulumi:dev::previews::pulumi:providers:${name}`;

/** The recorded stack. Its resources have an address before and after. */
function moved(from: string | undefined, to: string, organization = "example"): Digest {
  const preview = digest("unchanged.digest");
  for (const step of preview.steps) {
    const { oldState, newState } = step;
    if (!oldState?.type.includes("/voiceplane:") || !newState) continue;
    step.op = "update";
    for (const values of [oldState.inputs, oldState.outputs]) {
      Object.assign(values, { organization, address: from });
      if (from === undefined) delete values.address;
    }
    Object.assign(newState.inputs, { organization, address: to, ...(from && from !== to && { __movedFrom: from }) });
  }
  preview.changeSummary = { update: 9 };
  return preview;
}

/** The same preview with this operation in each step. */
function all(op: string, preview: Digest): Digest {
  for (const step of preview.steps) step.op = op;
  preview.changeSummary = { [op]: preview.steps.length };
  return preview;
}

/** The preview with the steps of these resources alone, after an edit. */
function only(preview: Digest, names: readonly string[], edit: (step: Declared) => void = () => undefined): Digest {
  preview.steps = names.map((name) => stepOf(preview, name));
  for (const step of preview.steps) edit(step as Declared);
  return preview;
}

/** The preview in which this resource is removed. */
function removed(preview: Digest, name: string): Digest {
  preview.steps = preview.steps.map((step) => {
    const { newState: _gone, ...rest } = step;
    return step.urn.endsWith(`::${name}`) ? { ...rest, op: "delete" } : step;
  });
  return preview;
}

/** The preview in which all changed resources have another name in the program. */
function renamed(preview: Digest): Digest {
  const changed = preview.steps.filter(({ op }) => op === "update") as Declared[];
  return { ...preview, steps: changed.flatMap((step) => madeAnew(step, `${step.urn}-2`)) };
}

/** The explicit provider of a recording, from these settings to those. */
function settings(change: Values, from: Values = {}): Digest {
  return only(digest("elsewhere.digest"), ["eu"], ({ oldState, newState }) => {
    Object.assign(oldState.inputs, from);
    newState.inputs = { ...oldState.inputs, ...change };
  });
}

/** The only resource of a provider is removed, while its address changes. */
function lastRemoved(edit: (step: Declared) => unknown): Digest {
  const preview = digest("elsewhere.digest");
  preview.steps = ["eu", "eu-recordings"].map((name) => stepOf(preview, name));
  const recordings = stepOf(preview, "eu-recordings");
  recordings.oldState.outputs.onDelete = "disable";
  recordings.oldState.retainOnDelete = false;
  edit(recordings);
  return removed(preview, "eu-recordings");
}

testOutlines("addresses", {
  "another address of the default provider is one change, with the names of all that it manages": () =>
    moved(here, there),
  "the first address in a state is no change": () => all("same", moved(undefined, there)),
  "the heading of a destroy names the last address": () => removed(only(moved(here, there), ["org-crm"]), "org-crm"),
  "an update for an invisible reason is reported, whatever the address": () =>
    only(moved(undefined, there), ["org-crm"]),
  "at most 20 settings are named": () => {
    const preview = moved(here, there);
    const office = stepOf(preview, "org-office");
    const urns = Array.from({ length: 25 }, (_, n) => `${office.urn}-${n + 10}`);
    return { ...preview, steps: urns.map((urn) => ({ ...office, urn })) };
  },
  "if the state has only a name, the old address is read from the inputs": () =>
    only(moved(here, there), ["org-office"], ({ oldState }) => delete oldState.outputs.address),
  "an address change is one change, even if all resources are renamed with it": () => renamed(moved(here, there)),
  "a resource that moves to another provider is no change of address": () =>
    only(moved(here, there), ["org-office"], ({ oldState, newState }) => {
      oldState.provider = `${provider("pulumi-nodejs")}::default::1`;
      newState.provider = `${provider("pulumi-nodejs")}::eu::2`;
    }),
  "the default provider of another version is the same provider": () =>
    only(moved(here, there), ["org-office", "org-crm"], ({ oldState, newState }) => {
      oldState.provider = `${provider("voiceplane")}::default_0_1_0::1`;
      newState.provider = `${provider("voiceplane")}::default_0_2_0::2`;
    }),
  "what is due at another address needs an approval, also with reassertUnattended": () =>
    only(moved(here, there), ["org-carrier-b"], ({ oldState, newState }) => {
      const unattended = { reassertAfter: "7d", reassertUnattended: true };
      Object.assign(oldState.inputs, unattended);
      Object.assign(newState.inputs, unattended, { __due: "2026-08-29" });
    }),
  "an edit at an address that cannot be seen is not compared with what the old server has": () => {
    const preview = digest("elsewhere.digest");
    stepOf(preview, "eu").newState.inputs["voiceplane:baseUrl"] = "[secret]";
    const { inputs } = stepOf(preview, "eu-recordings").newState;
    delete inputs.address;
    inputs.retentionDays = 3650;
    return preview;
  },
  "a provider whose new address is not known yet sends nothing to the old one": () => {
    const preview = only(digest("elsewhere.digest"), ["eu", "eu-recordings"]);
    stepOf(preview, "eu").newState.inputs["voiceplane:baseUrl"] = unknown;
    const { inputs } = stepOf(preview, "eu-recordings").newState;
    delete inputs.address;
    inputs.retentionDays = 3650;
    return preview;
  },
  "what onDelete sends to another address is not compared either": () =>
    removed(digest("moved-edited.digest"), "org-office"),
  "what the last resource of a provider sends as it is removed goes to the provider's new address": () =>
    lastRemoved(() => undefined),
  "a variable that names the address of both wins over the provider's own": () =>
    lastRemoved(({ oldState }) => (oldState.outputs.address = here)),
});

testOutlines("organizations", {
  "a resource that is removed while its organization gets another name: its onDelete is not sent": () =>
    removed(digest("organization-renamed-without-webhooks.digest"), "org-conversations"),
  "an organization that other resources still have is not called renamed": () => {
    const preview = digest("organization-renamed-without-webhooks.digest");
    stepOf(preview, "org-office").newState.inputs.organization = "example";
    return preview;
  },
  "resources that move from the stack's own organization to a provider have no line to run": () => {
    const preview = digest("organization-renamed-without-webhooks.digest");
    for (const { newState } of preview.steps) if (newState) newState.provider = `${provider("pulumi-nodejs")}::acme::2`;
    return preview;
  },
  "an explicit provider with another name and address sends what onDelete says": () => {
    const preview = digest("provider-renamed.digest");
    // The stack's own organization has the old address.
    preview.steps = preview.steps.filter(({ urn }) => /::eu(rope|-recordings)?$/.test(urn));
    const { oldState, newState } = stepOf(preview, "eu-recordings");
    Object.assign(oldState.outputs, { onDelete: "disable" });
    oldState.retainOnDelete = false;
    newState.inputs.address = there;
    return preview;
  },
  "two organizations get another name: each is said, and no line is printed for a name that a shell may misread":
    () => {
      const preview = digest("organization-renamed-without-webhooks.digest");
      return only(preview, ["org-office", "org-recordings"], ({ urn, oldState }) => {
        const organization = urn.endsWith("office") ? "$(touch x)example" : "example;x";
        for (const values of [oldState.inputs, oldState.outputs]) Object.assign(values, { organization });
      });
    },
});

const native = (settings: Digest): Digest =>
  JSON.parse(
    JSON.stringify(settings)
      .replaceAll("pulumi:providers:pulumi-nodejs", "pulumi:providers:voiceplane")
      .replaceAll("voiceplane:baseUrl", "baseUrl")
      .replaceAll("voiceplane:allowInsecureHttp", "allowInsecureHttp"),
  ) as Digest;

/** The dynamic provider is replaced by the native one. */
function toNative(baseUrl: string): Digest {
  const preview = settings({ "voiceplane:baseUrl": baseUrl });
  const { urn, newState } = stepOf(native(preview), "eu");
  return { ...preview, steps: madeAnew({ ...stepOf(preview, "eu"), newState }, urn) };
}

const elsewhere = { "voiceplane:baseUrl": "https://eu.example.com" };

testOutlines("providers", {
  "an explicit provider whose new address is secret may send its token anywhere": () =>
    settings({ "voiceplane:baseUrl": "[secret]" }),
  "and so may one whose new address is not known yet": () => settings({ "voiceplane:baseUrl": unknown }),
  "an explicit provider that allows plain http weakens a guard": () =>
    settings({ "voiceplane:allowInsecureHttp": "true" }),
  "an explicit provider with a new token is a change": () => settings({ "voiceplane:token": "[secret]" }),
  "and is said beside another provider at another address": () => {
    const [preview, { steps }] = [settings(elsewhere), settings({ "voiceplane:token": "[secret]" })];
    return { ...preview, steps: [...preview.steps, ...steps.map((step) => ({ ...step, urn: `${step.urn}-2` }))] };
  },
  "the same address in another spelling is no other address": () =>
    settings(elsewhere, { "voiceplane:baseUrl": "https://EU.example.com:443/" }),
  "a native provider at another address sends its token elsewhere": () => native(settings(elsewhere)),
  "a native provider that allows plain http weakens a guard": () =>
    native(settings({ "voiceplane:allowInsecureHttp": true })),
  "a move from the dynamic provider to the native one is one change": () => toNative("http://127.0.0.1:8000"),
  "a move to the native one at another address sends the token elsewhere": () => toNative("https://voice.example.net"),
});
