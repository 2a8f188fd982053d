/** Explicit providers of this package, dynamic or native. */
import type { ResourceState, Step } from "../engine/preview.js";
import { typeIn, wholeNameIn } from "./resources.js";

type Setting = "baseUrl" | "allowInsecureHttp";

export function isOwnProvider({ urn, before, after }: Step): boolean {
  const type = typeIn(urn);
  if (type === "pulumi:providers:voiceplane") return true;
  return type === "pulumi:providers:pulumi-nodejs" && "voiceplane:label" in ((after ?? before)?.inputs ?? {});
}

/** A setting among the inputs of a provider; undefined if it is absent. */
export function settingOf(provider: ResourceState | undefined, key: Setting): unknown {
  return provider?.inputs[`voiceplane:${key}`] ?? provider?.inputs[key];
}

/** The steps of these providers. A create and a delete of one name are a move from dynamic to native or back: one update. */
export function ownProviders(steps: readonly Step[]): Step[] {
  const own = steps.filter(isOwnProvider);
  const partner = ({ urn }: Step, has: "before" | "after") =>
    own.find((other) => other.urn !== urn && wholeNameIn(other.urn) === wholeNameIn(urn) && other[has]);
  return own.flatMap((step): Step[] => {
    if (step.before && !step.after) return partner(step, "after") ? [] : [step];
    const old = step.before ? undefined : partner(step, "before")?.before;
    return [old ? { ...step, op: "update", before: old } : step];
  });
}
