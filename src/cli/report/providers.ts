/** The providers of a run: their names, settings and addresses, which decide where requests go. */
import { addressOf } from "../../client/settings.js";
import { hiddenAs } from "../../lifecycle/effects/risk.js";
import { isDefaultProvider, urnParts } from "../../values/engine.js";
import type { ResourceState, Step } from "../pulumi/steps.js";

/** Whether it is an explicit provider of this package, dynamic or native. */
export function isOwnProvider({ urn, before, after }: Step): boolean {
  const { type } = urnParts(urn);
  if (type === "pulumi:providers:voiceplane") return true;
  return type === "pulumi:providers:pulumi-nodejs" && "voiceplane:providerName" in ((after ?? before)?.inputs ?? {});
}

export function settingOf(provider: ResourceState | undefined, key: "baseUrl" | "allowInsecureHttp"): unknown {
  return provider?.inputs[`voiceplane:${key}`] ?? provider?.inputs[key];
}

/** The steps of explicit providers. A move from dynamic to native or back is a delete and a create of one name: here, it is one update. */
export function providerSteps(steps: readonly Step[]): Step[] {
  const own = steps.filter(isOwnProvider);
  return own.flatMap((step): Step[] => {
    const namesakes = own.filter(({ urn }) => urn !== step.urn && nameIn(urn) === nameIn(step.urn));
    if (!step.after && namesakes.some(({ after }) => after)) return [];
    const former = namesakes.find(({ before }) => before)?.before;
    return [!step.before && former ? { ...step, op: "update", before: former } : step];
  });
}

export const nameIn = (urn: string): string => urnParts(urn).name;

/** The name in a provider's reference (URN and id). The default provider has one name for all versions. */
export function providerName(reference: string): string {
  const name = nameIn(reference.slice(0, Math.max(reference.lastIndexOf("::"), 0)));
  return isDefaultProvider(name) ? "default" : name;
}

/** An address that can be seen, in the form that states have. A part of it may be hidden, and then all of it is. */
export function addressIn(value: unknown): string | undefined {
  if (typeof value !== "string" || hiddenAs(value) !== undefined) return undefined;
  return /^https?:/i.test(value) && URL.canParse(value) ? addressOf(value) : undefined;
}

/** The addresses of the explicit providers before or after the run; undefined for one that cannot be seen. */
export const providerAddresses = (steps: readonly Step[], side: "before" | "after"): Map<string, string | undefined> =>
  new Map(
    providerSteps(steps).flatMap(({ urn, [side]: provider }) => {
      const baseUrl = settingOf(provider, "baseUrl");
      return baseUrl === undefined ? [] : [[nameIn(urn), addressIn(baseUrl)] as const];
    }),
  );
