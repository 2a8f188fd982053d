/** What the other steps of a preview tell about one of them. */
import { addressOf as addressOfUrl } from "../../client/settings.js";
import { isDefaultProvider } from "../../engine-values.js";
import type { Lifecycle, Values } from "../../resources/lifecycle.js";
import { objectKeys } from "../../resources/rules.js";
import { hiddenAs } from "./text.js";
import { isOwnProvider, settingOf } from "./own-providers.js";
import type { Preview, ResourceState, Step } from "./read.js";
import { namesOf, resourceOf, wholeNameIn } from "./resources.js";

export interface PreviewContext {
  /** The name of a resource for people. */
  readonly nameOf: (step: Step) => string;
  /** Whether the update has ended. */
  readonly past: boolean;
  /** Whether the program still declares the object of this state, so that deleting it sends nothing. */
  readonly isDeclared: (lifecycle: Lifecycle, before: ResourceState) => boolean;
  /** The old state of the object of these inputs, if this update creates it again or renames it. */
  readonly formerly: (lifecycle: Lifecycle, after: ResourceState) => ResourceState | undefined;
  /** The step that declares the object under another name. */
  readonly successorOf: (lifecycle: Lifecycle, step: Step) => Step | undefined;
  /** Where the requests for this resource go; undefined if no value tells. */
  readonly addressOf: (state: ResourceState, values: Values) => string | undefined;
}

export function previewContextOf({ steps, kind }: Pick<Preview, "steps" | "kind">): PreviewContext {
  const baseUrls = baseUrlsOf(steps);
  const addressOf: PreviewContext["addressOf"] = ({ provider }, { address, account }) => {
    const noted = [address, account, baseUrls.get(providerName(provider))].find(isAddress);
    return noted === undefined ? undefined : addressOfUrl(noted);
  };
  const keysOf = (lifecycle: Lifecycle, state: ResourceState, values: Values): string[] => {
    const { account, [lifecycle.identity]: id } = values;
    if (typeof account !== "string" || typeof id !== "string" || hiddenAs([account, id])) return [];
    return objectKeys(lifecycle, id, { account, address: addressOf(state, values) });
  };

  const own = steps.flatMap((step) => {
    const lifecycle = resourceOf(step.type)?.lifecycle;
    return lifecycle ? [{ lifecycle, step }] : [];
  });
  const declared = new Map<string, Step>();
  for (const { lifecycle, step } of own) {
    if (!step.after) continue;
    for (const key of keysOf(lifecycle, step.after, step.after.inputs)) declared.set(key, step);
  }
  const known = new Map<string, ResourceState>();
  for (const { lifecycle, step } of own) {
    if (!step.before) continue;
    const [name, ...others] = keysOf(lifecycle, step.before, step.before.outputs);
    if (name === undefined) continue;
    known.set(name, step.before);
    // Organizations may share an address: an object that is still declared was not renamed.
    if (!declared.has(name)) for (const key of others) known.set(key, step.before);
  }
  const declaredIn = (lifecycle: Lifecycle, before: ResourceState): Step | undefined =>
    first(keysOf(lifecycle, before, before.outputs), declared);
  return {
    nameOf: namesOf(steps),
    past: kind === "update",
    isDeclared: (lifecycle, before) => declaredIn(lifecycle, before) !== undefined,
    formerly: (lifecycle, after) => first(keysOf(lifecycle, after, after.inputs), known),
    successorOf: (lifecycle, { before }) => {
      const successor = before && declaredIn(lifecycle, before);
      return successor?.op === "create" ? successor : undefined;
    },
    addressOf,
  };
}

function first<Value>(keys: readonly string[], map: ReadonlyMap<string, Value>): Value | undefined {
  return keys.map((key) => map.get(key)).find((value) => value !== undefined);
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && hiddenAs(value) === undefined && /^https?:/i.test(value) && URL.canParse(value);
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
