/** The resource types that a report has words for: each with the lifecycle that decides and the words that tell. */
import { owned, type Lifecycle, type Values } from "../../lifecycle.js";
import { networkPolicy } from "../../resources/network-policy.js";
import { retentionPolicy } from "../../resources/retention-policy.js";
import { trunkOutboundAuth } from "../../resources/trunk-outbound-auth.js";
import { webhookSecret } from "../../resources/webhook-secret.js";
import type { Step } from "./read.js";
import type { Words } from "./words/facts.js";
import { networkPolicyWords } from "./words/network-policy.js";
import { retentionPolicyWords } from "./words/retention-policy.js";
import { trunkOutboundAuthWords } from "./words/trunk-outbound-auth.js";
import { webhookSecretWords } from "./words/webhook-secret.js";

export interface Resource {
  readonly lifecycle: Lifecycle;
  readonly words: Words;
}

const resources: Readonly<Record<string, Resource>> = {
  RetentionPolicy: { lifecycle: owned(retentionPolicy), words: retentionPolicyWords },
  NetworkPolicy: { lifecycle: owned(networkPolicy), words: networkPolicyWords },
  TrunkOutboundAuth: { lifecycle: owned(trunkOutboundAuth), words: trunkOutboundAuthWords },
  WebhookSecret: { lifecycle: owned(webhookSecret), words: webhookSecretWords },
};

/** By the type's name in the engine, dynamic or native. */
export function resourceOf(type: string): Resource | undefined {
  const name = /^(?:pulumi-nodejs:dynamic\/voiceplane|voiceplane:index):(\w+)$/.exec(type)?.[1] ?? "";
  return Object.hasOwn(resources, name) ? resources[name] : undefined;
}

const organizationType = "voiceplane:index:Organization";

/**
 * How people know the resources: by their names in the program; those of an organization's entries without the
 * organization's own name in front, unless there are several organizations.
 */
export function namesOf(steps: readonly Step[]): (step: Step) => string {
  const parentOf = ({ before, after }: Step): string => (after ?? before)?.parent ?? "";
  const organizations = new Set(steps.map(parentOf).filter(isOrganization));
  return (step) => {
    const name = nameIn(step.urn);
    const prefix = `${nameIn(parentOf(step))}-`;
    const isEntry = organizations.size === 1 && isOrganization(parentOf(step)) && name.startsWith(prefix);
    return isEntry ? name.slice(prefix.length) : name;
  };
}

/** Longest name in a sentence, characters. */
const maxName = 80;

/** A URN is urn:pulumi:STACK::PROJECT::PARENT-TYPES$TYPE::NAME. */
export function nameIn(urn: string): string {
  return urn.split("::").slice(3).join("::").slice(0, maxName);
}

export function typeIn(urn: string): string {
  return (urn.split("::")[2] ?? "").split("$").at(-1) ?? "";
}

function isOrganization(urn: string): boolean {
  return typeIn(urn) === organizationType;
}

/** The inputs that a user has written and that differ. */
export function changedInputs(before: Values, after: Values, isEqual: (a: unknown, b: unknown) => boolean): string[] {
  const computed = new Set(["account", "rotateOn", "reassertOn"]);
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !key.startsWith("__") && !computed.has(key) && !isEqual(before[key], after[key]));
}
