/** What the whole preview tells about one of its steps. */
import { addressOf as addressOfUrl } from "../../client/settings.js";
import type { Lifecycle, Values } from "../../resources/lifecycle.js";
import { objectKeys } from "../../resources/rules.js";
import { hiddenAs } from "./secrets.js";
import type { Preview, ResourceState, Step } from "./read.js";
import { namesOf, resourceOf, wholeNameIn } from "./resources.js";

export interface PreviewContext {
  /** How people know a resource. */
  readonly nameOf: (step: Step) => string;
  /** Whether what is told has happened. */
  readonly past: boolean;
  /** Whether the program declares the object of this state: deleting it sends nothing then. */
  readonly isDeclared: (lifecycle: Lifecycle, before: ResourceState) => boolean;
  /** What the object of these inputs is known to be, where this update makes it anew or under another name. */
  readonly formerly: (lifecycle: Lifecycle, after: ResourceState) => ResourceState | undefined;
  /** The step that declares the object of this state under another name. */
  readonly successorOf: (lifecycle: Lifecycle, step: Step) => Step | undefined;
  /** Where the requests for this resource go; undefined where nobody has noted it. */
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
    // One address may be that of many organizations: what keeps its name is not what has a new one.
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

/** Those of explicit providers: the engine shows no step of the default one. States without an address may need them. */
function baseUrlsOf(steps: readonly Step[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { urn, before, after } of steps) {
    const baseUrl = (before ?? after)?.inputs["voiceplane:baseUrl"];
    if (isAddress(baseUrl)) found.set(wholeNameIn(urn), baseUrl);
  }
  return found;
}

/** The name in a provider's reference, which is its URN and id; one name for the default provider, whatever its version. */
export function providerName(reference: string): string {
  const name = wholeNameIn(reference.slice(0, Math.max(reference.lastIndexOf("::"), 0)));
  return /^default(_\d+_\d+_\d+.*)?$/.test(name) ? "default" : name;
}
