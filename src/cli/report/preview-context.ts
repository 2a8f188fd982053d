/** What is known of a step from the other steps of its preview. */
import { isDefaultProvider } from "../../values/engine.js";
import { addressOf as addressOfUrl } from "../../client/settings.js";
import type { Values } from "../../lifecycle/lifecycle.js";
import { objectKeys } from "../../lifecycle/object.js";
import { hiddenAs } from "../../lifecycle/effects/effect.js";
import { namesOf } from "../pulumi/names.js";
import type { PreviewOrUpdate, ResourceState, Step } from "../pulumi/preview-or-update.js";
import { isOwnProvider, lifecycleOf, ownProviders, ownSteps, settingOf, wholeNameIn } from "./resources.js";

export interface PreviewContext {
  /** The name of a resource for people, by its URN. */
  readonly nameOf: (urn: string) => string;
  /** Whether it is an update that has ended, not a preview. */
  readonly isUpdate: boolean;
  /** The step that declares the object of this state, so that deleting it sends nothing. */
  readonly declarerOf: (before: ResourceState) => Step | undefined;
  /** The step with the old state of the object of these inputs, if this update creates it again or renames it. */
  readonly formerly: (after: ResourceState) => Step | undefined;
  /** The step that declares the object of this step's old state under another name. */
  readonly renamedTo: (step: Step) => Step | undefined;
  /** Where the requests for this resource go; undefined if no value has it. */
  readonly addressOf: (state: ResourceState, values: Values) => string | undefined;
  /** Where the requests of a provider go; undefined if that cannot be seen. */
  readonly newAddressOf: (provider: string) => string | undefined;
  /** Whether the requests for the object of this step's old state go to another address than before. */
  readonly isMoved: (step: Step) => boolean;
  /** Whether the provider of this state now has another organization: it sends nothing for the old one's objects. */
  readonly isForeign: (before: ResourceState) => boolean;
}

export function previewContextOf({ steps, kind }: Pick<PreviewOrUpdate, "steps" | "kind">): PreviewContext {
  const baseUrls = baseUrlsOf(steps);
  const addressOf: PreviewContext["addressOf"] = ({ provider }, { address, organization }) => {
    const noted = [address, organization, baseUrls.get(providerName(provider))].find(isAddress);
    return noted === undefined ? undefined : addressOfUrl(noted);
  };
  const keysOf = (state: ResourceState, values: Values): string[] => {
    const lifecycle = lifecycleOf(state.type);
    if (!lifecycle) return [];
    const { organization, [lifecycle.identity]: id } = values;
    if (typeof organization !== "string" || typeof id !== "string" || hiddenAs([organization, id])) return [];
    return objectKeys(lifecycle, id, { organization, address: addressOf(state, values) });
  };

  const own = ownSteps(steps).map(({ step }) => step);
  const newKeysOf = ({ after }: Step) => (after ? keysOf(after, after.inputs) : []);
  const oldKeysOf = ({ before }: Step) => (before ? keysOf(before, before.outputs) : []);
  const declared = new Map(own.flatMap((step) => newKeysOf(step).map((key) => [key, step] as const)));
  const known = new Map(
    own.flatMap((step) => {
      const [name, ...others] = oldKeysOf(step);
      if (name === undefined) return [];
      // Organizations may share an address: an object that is still declared was not renamed.
      return [name, ...(declared.has(name) ? [] : others)].map((key) => [key, step] as const);
    }),
  );
  const declarerOf = (before: ResourceState) => first(keysOf(before, before.outputs), declared);

  /** Of each provider, by what it now manages. */
  const addresses = new Map<string, string>();
  const organizations = new Map<string, unknown>();
  for (const step of own) {
    if (!step.after) continue;
    const name = providerName(step.after.provider);
    const address = addressOf(step.after, step.after.inputs);
    if (address !== undefined) addresses.set(name, address);
    organizations.set(name, step.after.inputs.organization);
  }
  const hiddenMoves = new Set(
    ownProviders(steps).flatMap(({ urn, before, after }) => {
      const [from, to] = [before, after].map((state) => settingOf(state, "baseUrl"));
      return from !== undefined && from !== to && hiddenAs(to) ? [wholeNameIn(urn)] : [];
    }),
  );
  return {
    nameOf: namesOf(steps.flatMap(({ urn, before, after }) => [urn, (after ?? before)?.parent ?? ""])),
    isUpdate: kind === "update",
    declarerOf,
    formerly: (after) => first(keysOf(after, after.inputs), known),
    renamedTo: ({ before }) => {
      const to = before && declarerOf(before);
      const isTaken = to?.op === "replace" && to.before !== before && to.before && declarerOf(to.before) !== to;
      return to?.op === "create" || isTaken ? to : undefined;
    },
    addressOf,
    newAddressOf: (provider) => (hiddenMoves.has(provider) ? undefined : addresses.get(provider)),
    isMoved: ({ before }) => {
      if (!before) return false;
      const name = providerName(before.provider);
      const [from, to] = [oldAddressOf(before, addressOf), addresses.get(name)];
      return hiddenMoves.has(name) || (from !== undefined && to !== undefined && from !== to);
    },
    isForeign: (before) => {
      const organization = organizations.get(providerName(before.provider));
      const old = before.outputs.organization;
      return typeof organization === "string" && typeof old === "string" && organization !== old;
    },
  };
}

export function oldAddressOf(before: ResourceState, addressOf: PreviewContext["addressOf"]): string | undefined {
  return addressOf(before, before.outputs) ?? addressOf(before, before.inputs);
}

function first<Value>(keys: readonly string[], map: ReadonlyMap<string, Value>): Value | undefined {
  return keys.map((key) => map.get(key)).find((value) => value !== undefined);
}

export function isAddress(value: unknown): value is string {
  return typeof value === "string" && /^https?:/i.test(value) && URL.canParse(value);
}

/** The base URLs of explicit providers, for states without an address. The engine shows no step of the default provider. */
function baseUrlsOf(steps: readonly Step[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { urn, before, after } of steps.filter(isOwnProvider)) {
    const baseUrl = settingOf(before ?? after, "baseUrl");
    if (isAddress(baseUrl)) found.set(wholeNameIn(urn), baseUrl);
  }
  return found;
}

/** The name in a provider's reference (URN and id). The default provider has one name for all versions. */
export function providerName(reference: string): string {
  const name = wholeNameIn(reference.slice(0, Math.max(reference.lastIndexOf("::"), 0)));
  return isDefaultProvider(name) ? "default" : name;
}
