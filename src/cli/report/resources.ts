/** The resource types of a report: what the table says of them, and the sentences about them. */
import { isDeepStrictEqual } from "node:util";
import { resourceTypeOf, resources, type ResourceType } from "../../resources/index.js";
import type { Lifecycle, Values } from "../../resources/lifecycle.js";
import type { Step } from "./read.js";
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

/** By the type's name in the engine, dynamic or native; undefined for types of other packages. */
export function resourceOf(token: string): Resource | undefined {
  const type = resourceTypeOf(token);
  return type && { lifecycle: resources[type].lifecycle, sentences: sentences[type] };
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
    const key = organizations.size === 1 ? entryKeyOf(step) : undefined;
    return key === undefined ? nameIn(step.urn) : key.slice(0, maxName);
  };
}

/** Longest name in a sentence, characters. */
const maxName = 80;

/** A URN is urn:pulumi:STACK::PROJECT::PARENT-TYPES$TYPE::NAME. */
export function nameIn(urn: string): string {
  return wholeNameIn(urn).slice(0, maxName);
}

/** As a command wants it. */
export function wholeNameIn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

export function stackIn(urn: string): { stack: string; project: string } {
  const [stack = "", project = ""] = urn.replace(/^urn:pulumi:/, "").split("::");
  return { stack, project };
}

export function typeIn(urn: string): string {
  return (urn.split("::")[2] ?? "").split("$").at(-1) ?? "";
}

/** The key of an organization's entry, which is a part of the resource's name; undefined of a resource that is none. */
export function entryKeyOf({ urn, before, after }: Step): string | undefined {
  const parent = (after ?? before)?.parent ?? "";
  const prefix = `${wholeNameIn(parent)}-`;
  const name = wholeNameIn(urn);
  return isOrganization(parent) && name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}

function isOrganization(urn: string): boolean {
  return typeIn(urn) === organizationType;
}

/** What check adds to the inputs: nobody has written it. */
const computed = new Set(["account", "address", "rotateOn", "reassertOn"]);

export function isDeclared(property: string): boolean {
  return !property.startsWith("__") && !computed.has(property);
}

/** The inputs that a user has written otherwise than before. */
export function editsOf(before: Values, after: Values): Edit[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(isDeclared);
  return keys
    .map((property) => ({ property, old: before[property], fresh: after[property] }))
    .filter(({ old, fresh }) => !isDeepStrictEqual(orNone(old), orNone(fresh)));
}

/** No triggers are as good as an empty map of them. */
function orNone(value: unknown): unknown {
  return isDeepStrictEqual(value, {}) ? undefined : value;
}
