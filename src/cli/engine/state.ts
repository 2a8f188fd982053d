/**
 * Reads an exported deployment, from `pulumi stack export` or a file of the state. The result contains no secret, not even
 * encrypted.
 */
import { isObject, parseJson } from "../../values/any.js";
import { isMarked, secretText, urnParts, withoutSecrets } from "../../values/engine.js";
import { z } from "zod";
import { resources, resourceTypeOf, type ResourceType } from "../../resources/index.js";
import { isUncertain, type Values } from "../../resources/lifecycle.js";
import { isWrittenByHand } from "../../resources/rules.js";
import { isUnconfirmed } from "../../resources/setting.js";
import { namesOf } from "./names.js";
import { staleOutputsIn, type StaleOutput } from "./outputs.js";

export interface StackState {
  /** Empty if the state has no resource. */
  readonly project: string;
  readonly stack: string;
  /** When the engine wrote the state, ISO 8601. */
  readonly time: string | undefined;
  /** The objects of this package. */
  readonly objects: readonly ObjectState[];
  /** Who encrypts its secrets, such as "passphrase", or "service" for Pulumi Cloud; undefined if nobody does. */
  readonly secretsProvider: string | undefined;
  /** Of all packages. */
  readonly resources: readonly ExportedResource[];
  /** Of all packages: operations that the engine started and did not see finish. */
  readonly pendingOperations: readonly PendingOperation[];
  /** Outputs of the stack with a secret that was rotated since. Undefined if the export is encrypted, so that nobody can know. */
  readonly staleOutputs: readonly StaleOutput[] | undefined;
  /** What the files of `voiceplane apply` know and the state has not; undefined if they were not read. */
  readonly unsaved?: UnsavedRotations;
}

export interface UnsavedRotations {
  /** Names of the webhooks that may have another secret than the state. Each that the state has is uncertain. */
  readonly names: readonly string[];
  /** What cannot be read, and may be about any webhook. */
  readonly problems: readonly string[];
}

export interface ExportedResource {
  readonly urn: string;
  /** For people, as in {@link ObjectState}. */
  readonly name: string;
  /** Whether the engine has still to delete it. */
  readonly isDeleted: boolean;
  /** Whether the last update failed, or the engine has still to delete or replace the resource. */
  readonly isUnfinished: boolean;
  /** Whether it has a due date, which may be a secret. */
  readonly isScheduled: boolean;
}

export interface PendingOperation {
  /** "creating", "updating", "deleting", "reading" or "importing". */
  readonly type: string;
  readonly urn: string;
  /** The resource's name, as in {@link ObjectState}. */
  readonly name: string;
  /** Undefined for a resource of another package. */
  readonly object: PendingObject | undefined;
}

type PendingObject = Pick<ObjectState, "type" | "organization" | "id">;

export interface ObjectState {
  readonly urn: string;
  /** For people: the resource's name, without that of the only organization. */
  readonly name: string;
  readonly type: ResourceType;
  /** The organization, as the resource's `account`. */
  readonly organization: string;
  /** The object's id within its organization; undefined if the program made it secret. */
  readonly id: string | undefined;
  /** The arguments of the last answered request, or of the first one, with {@link secretText} for secrets. */
  readonly sent: Values;
  /**
   * When that was, ISO 8601; undefined if nothing was sent. For a rotation the time of the answer. For a setting the time of the
   * last update, which may have only stored an option.
   */
  readonly sentAt: string | undefined;
  readonly created: string | undefined;
  readonly modified: string | undefined;
  /** For a WebhookSecret only. */
  readonly rotation: Rotation | undefined;
  /** A setting with adopted values: no request has sent them. */
  readonly adopted: boolean;
  /** The answer to the last request was lost. The next update sends again. */
  readonly uncertain: boolean;
  /** Rotated, and no secret was found in the answer. */
  readonly unread: boolean;
  /** Errors of the last update, as many as the engine keeps. */
  readonly initErrors: number;
  /** Whether the engine has still to delete or replace it. */
  readonly leaving: boolean;
  /** Whether the engine has only to delete it. Another resource may have its URN. */
  readonly deleted: boolean;
  /** The next due date, `rotateOn` or `reassertOn`: YYYY-MM-DD in UTC. */
  readonly dueOn: string | undefined;
}

export interface Rotation {
  /** "rotated", "adopted", "unread" or "uncertain". */
  readonly state: string;
  /** Rotations whose answer arrived. */
  readonly count: number;
  /** The id of the last one, or of the one whose answer was lost; undefined before the first, and in states of early versions. */
  readonly id: string | undefined;
  /** When the last of them was answered, ISO 8601; undefined if there was none. The age of the secret counts from it. */
  readonly at: string | undefined;
}

/** The earliest due date of all objects; undefined if there is none. */
export function nextDueDate({ objects }: StackState): string | undefined {
  return objects.flatMap(({ dueOn }) => dueOn ?? []).sort()[0];
}

/**
 * Names of pending creates whose resource exists by now: nothing has to be done for them any more. Empty if there are others. A resource of
 * another package may have been created twice, and the entry may be the only record of the first object. One of this package
 * stands for an object that its id names.
 */
export function resolvedCreates(state: StackState): string[] {
  const urns = new Set(state.resources.filter(({ isDeleted }) => !isDeleted).map(({ urn }) => urn));
  const creates = state.pendingOperations.filter(({ type }) => type === "creating");
  const isOwn = (urn: string): boolean => resourceTypeOf(urnParts(urn).type) !== undefined;
  // The CLI clears all or none.
  return creates.every(({ urn }) => urns.has(urn) && isOwn(urn)) ? creates.map(({ name }) => name) : [];
}

/** Whether the URN is that of a setting, and not of a WebhookSecret or of another package's resource. */
export const isOfSetting = (urn: string): boolean =>
  !["WebhookSecret", undefined].includes(resourceTypeOf(urnParts(urn).type));

/** Pending operations, for people. */
export const pendingIn = ({ pendingOperations }: StackState): string[] =>
  pendingOperations.map(({ type, name }) => `${type} ${name}`);

/** Seconds since the last rotation; undefined if the resource never rotated the secret. */
export function secretAgeOf({ rotation }: ObjectState, now: Date): number | undefined {
  return rotation?.at === undefined ? undefined : Math.round((now.getTime() - Date.parse(rotation.at)) / 1000);
}

/** The text is not an exported deployment. The message has every problem in one line, and contains nothing of the text. */
export class StackStateError extends Error {
  override readonly name = "StackStateError";
}

const values = z.record(z.string(), z.unknown()).nullish();
const resourceSchema = z.object({
  urn: z.string().startsWith("urn:pulumi:"),
  type: z.string(),
  id: z.string().nullish(),
  inputs: values,
  outputs: values,
  initErrors: z.array(z.unknown()).nullish(),
  additionalSecretOutputs: z.array(z.string()).nullish(),
  delete: z.boolean().nullish(),
  pendingReplacement: z.boolean().nullish(),
  taint: z.boolean().nullish(),
  created: z.iso.datetime({ offset: true }).nullish(),
  modified: z.iso.datetime({ offset: true }).nullish(),
});
const deploymentSchema = z.object({
  manifest: z.object({ time: z.string().nullish() }).nullish(),
  secrets_providers: z.object({ type: z.string().nullish() }).nullish(),
  resources: z.array(resourceSchema).nullish(),
  pending_operations: z
    .array(
      z.object({ type: z.string(), resource: z.object({ urn: z.string().startsWith("urn:pulumi:"), inputs: values }) }),
    )
    .nullish(),
});

/** @throws StackStateError */
export function readStackState(text: string): StackState {
  const { version, deployment } = deploymentIn(parse(text));
  const parsed = deploymentSchema.safeParse(deployment);
  const problems = [
    ...(knownVersions.includes(version) ? [] : ["its version is not one that this version of voiceplane knows (3, 4)"]),
    ...(parsed.success ? [] : placesOf(parsed.error)),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new StackStateError(`the input is a stack's export that cannot be read: ${problems.join("; ")}`);
  }
  const { manifest, secrets_providers, resources: all, pending_operations } = parsed.data;
  const pending = (pending_operations ?? []).map(({ type, resource: { urn, inputs } }) => {
    return { type, urn, object: pendingObject(urn, inputs ?? {}) };
  });
  const urns = [...(all ?? []), ...pending].map(({ urn }) => urn);
  const nameOf = namesOf(urns);
  const { stack, project } = urnParts(urns[0] ?? "");
  return {
    project,
    stack,
    // Of a stack without an update, Pulumi Cloud says the year 1.
    time: manifest?.time?.startsWith("0001-") === true ? undefined : (manifest?.time ?? undefined),
    secretsProvider: secrets_providers?.type === "" ? undefined : (secrets_providers?.type ?? undefined),
    objects: (all ?? []).flatMap((resource) => objectOf(resource, nameOf)),
    resources: (all ?? []).map((resource) => exportedOf(resource, nameOf)),
    pendingOperations: pending.map((operation) => ({ ...operation, name: nameOf(operation.urn) })),
    staleOutputs: staleOutputsIn(all ?? [], nameOf),
  };
}

/** Of checkpoints and exports. */
const knownVersions: readonly unknown[] = [3, 4];

function parse(text: string): unknown {
  const json = text.replace(/^\uFEFF/, "");
  if (json.trim() === "") throw new StackStateError(`the input is empty: ${advice}`);
  const document = parseJson(json);
  if (document !== undefined) return document;
  // Events are lines of JSON. A damaged file may still begin correctly.
  const firstLine = parseJson(json.trimStart().split("\n", 1)[0] ?? "");
  if (isObject(firstLine)) return firstLine;
  const isDamaged = json.trimStart().startsWith("{");
  throw new StackStateError(
    isDamaged ? `the input is JSON that is cut off or damaged: ${advice}` : `the input is not JSON: ${advice}`,
  );
}

const advice = "pass the complete output of `pulumi stack export`";

function deploymentIn(document: unknown): { version: unknown; deployment: unknown } {
  if (isObject(document)) {
    const { version, deployment, checkpoint } = document;
    if (isObject(deployment)) return { version, deployment };
    if (isObject(checkpoint)) return { version, deployment: checkpoint.latest ?? {} };
    if ("changeSummary" in document || "steps" in document || "sequence" in document) {
      throw new StackStateError(`the input is a preview or an update's events, not a stack's state: ${advice}`);
    }
  }
  throw new StackStateError(`the input is JSON, but not a stack's state: ${advice}`);
}

/** More do not help. */
const maxPlaces = 10;

/** As keys of the format, which contain no secret. */
function placesOf(error: z.ZodError): string[] {
  const places = [...new Set(error.issues.map(({ path }) => path.slice(0, 3).join(".")))];
  const shown = places.slice(0, maxPlaces).map((place) => `${place || "it"} is missing or has another type`);
  return places.length > maxPlaces ? [...shown, `and ${places.length - maxPlaces} more`] : shown;
}

type Resource = z.infer<typeof resourceSchema>;

function exportedOf(resource: Resource, nameOf: NameOf): ExportedResource {
  const { urn, inputs } = resource;
  return {
    urn,
    name: nameOf(urn),
    isDeleted: resource.delete === true,
    isUnfinished: initErrorsOf(resource) > 0 || isLeaving(resource),
    isScheduled: inputs?.rotateOn != null || inputs?.reassertOn != null,
  };
}

type NameOf = ReturnType<typeof namesOf>;

const initErrorsOf = ({ initErrors }: Resource): number => initErrors?.length ?? 0;

const isLeaving = ({ delete: isDeleted, pendingReplacement, taint }: Resource): boolean =>
  isDeleted === true || pendingReplacement === true || taint === true;

function objectOf(resource: Resource, nameOf: NameOf): ObjectState[] {
  const type = resourceTypeOf(resource.type);
  if (type === undefined) return [];
  const { lifecycle, args } = resources[type];
  const inputs = resource.inputs ?? {};
  const outputs = resource.outputs ?? {};
  const plainOutputs = withoutSecrets(outputs);
  const secrets = new Set([...(lifecycle.secrets ?? []), ...(resource.additionalSecretOutputs ?? [])]);
  const isSecret = (key: string) => secrets.has(key) || isMarked(inputs[key]) || isMarked(outputs[key]);
  /** Undefined if the value is secret or not a text. */
  const textOf = (from: Values, key: string) => {
    const value = from[key];
    return typeof value === "string" && !isSecret(key) ? value : undefined;
  };
  const sentKeys = Object.keys(args.shape).filter(
    (key) => key in outputs && key !== lifecycle.identity && key !== "onDelete",
  );
  const created = resource.created ?? undefined;
  const modified = resource.modified ?? created;
  const rotation = rotationOf(type, outputs, timeIn(textOf(outputs, "rotatedAt")));
  const adopted = rotation === undefined && (isUnconfirmed(outputs) || isWrittenByHand(inputs));
  const sendsNothing = adopted || (type === "TrunkOutboundAuth" && outputs.cleared === false);
  const settingSentAt = sendsNothing ? undefined : modified;
  return [
    {
      urn: resource.urn,
      name: nameOf(resource.urn),
      type,
      organization: textOf(outputs, "account") ?? textOf(inputs, "account") ?? "",
      id: isSecret(lifecycle.identity) ? undefined : (resource.id ?? undefined),
      sent: Object.fromEntries(sentKeys.map((key) => [key, isSecret(key) ? secretText : plainOutputs[key]])),
      sentAt: rotation ? rotation.at : settingSentAt,
      created,
      modified,
      rotation,
      adopted,
      uncertain: isUncertain({ ...outputs, rotationState: rotation?.state }),
      unread: rotation?.state === "unread",
      initErrors: initErrorsOf(resource),
      leaving: isLeaving(resource),
      deleted: resource.delete === true,
      dueOn: timeIn(textOf(inputs, lifecycle.date)),
    },
  ];
}

function pendingObject(urn: string, inputs: Values): PendingObject | undefined {
  const type = resourceTypeOf(urnParts(urn).type);
  if (type === undefined) return undefined;
  const textOf = (key: string) => (typeof inputs[key] === "string" ? inputs[key] : undefined);
  return { type, organization: textOf("account") ?? "", id: textOf(resources[type].lifecycle.identity) };
}

function rotationOf(type: ResourceType, outputs: Values, at: string | undefined): Rotation | undefined {
  if (type !== "WebhookSecret") return undefined;
  // An import file need not have it. The provider then knows of no rotation.
  const { rotationState = "adopted", rotationCount, rotationId } = outputs;
  return {
    id: typeof rotationId === "string" ? rotationId : undefined,
    // One that the program made secret cannot be read.
    state: typeof rotationState === "string" ? rotationState : "uncertain",
    count: typeof rotationCount === "number" ? rotationCount : 0,
    at,
  };
}

/** Undefined if the text is not a time. */
function timeIn(text: string | undefined): string | undefined {
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}
