/** The resource types of a report with their sentences, and names for people. */
import { organizationType, urnParts } from "../../values/engine.js";
import { resourceTypeOf, resources, type ResourceType } from "../../resources/index.js";
import { sameValues, type Lifecycle, type Values } from "../../resources/lifecycle.js";
import type { ResourceState, Step } from "../pulumi/preview-or-update.js";
import { networkPolicySentences } from "./sentences/network-policy.js";
import { retentionPolicySentences } from "./sentences/retention-policy.js";
import type { Edit, Sentences } from "./sentences/sentence.js";
import { trunkOutboundAuthSentences } from "./sentences/trunk-outbound-auth.js";
import { webhookSecretSentences } from "./sentences/webhook-secret.js";

export interface Resource {
  readonly lifecycle: Lifecycle;
  readonly sentences: Sentences;
}

const sentences: Readonly<Record<ResourceType, Sentences>> = {
  RetentionPolicy: retentionPolicySentences,
  NetworkPolicy: networkPolicySentences,
  TrunkOutboundAuth: trunkOutboundAuthSentences,
  WebhookSecret: webhookSecretSentences,
};

/** By the engine's type, dynamic or native; undefined for types of other packages. */
export function resourceOf(token: string): Resource | undefined {
  const type = resourceTypeOf(token);
  return type && { lifecycle: resources[type].lifecycle, sentences: sentences[type] };
}

/** The steps of this package's resources. */
export function ownSteps(steps: readonly Step[]): { readonly step: Step; readonly resource: Resource }[] {
  return steps.flatMap((step) => {
    const resource = resourceOf(step.type);
    return resource ? [{ step, resource }] : [];
  });
}

/** For commands. */
export const wholeNameIn = (urn: string): string => urnParts(urn).name;

export const typeIn = (urn: string): string => urnParts(urn).type;

/** The key of an organization's entry, from the resource's name; undefined for other resources. */
export function entryKeyOf({ urn, before, after }: Step): string | undefined {
  const parent = (after ?? before)?.parent ?? "";
  const prefix = `${wholeNameIn(parent)}-`;
  const name = wholeNameIn(urn);
  return typeIn(parent) === organizationType && name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}

/** Whether it is an explicit provider of this package, dynamic or native. */
export function isOwnProvider({ urn, before, after }: Step): boolean {
  const type = typeIn(urn);
  if (type === "pulumi:providers:voiceplane") return true;
  return type === "pulumi:providers:pulumi-nodejs" && "voiceplane:providerName" in ((after ?? before)?.inputs ?? {});
}

/** A setting among the inputs of a provider; undefined if it is absent. */
export function settingOf(provider: ResourceState | undefined, key: "baseUrl" | "allowInsecureHttp"): unknown {
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

/** Inputs that `check` adds. Users do not write them. */
const computed = new Set([
  "organization",
  "address",
  ...Object.values(resources).map(({ lifecycle }) => lifecycle.date),
]);

function isDeclared(property: string): boolean {
  return !property.startsWith("__") && !computed.has(property);
}

/** The inputs that the user changed. */
export function editsOf(before: Values, after: Values): Edit[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((property) => isDeclared(property) && !sameValues(before, after, [property]))
    .map((property) => ({ property, old: before[property], fresh: after[property] }));
}
