/**
 * Reads an exported deployment, from `pulumi stack export` or a file of the state. The result contains no secret, not even
 * encrypted.
 */
import { isObject, parseJson } from "../../values/any.js";
import { isMarked, secretText, urnParts, withoutSecrets } from "../../values/engine.js";
import { z } from "zod";
import { isSameId } from "../../lifecycle/object.js";
import { resources, resourceTypeOf, type ResourceType } from "../../resources/index.js";
import type { Values } from "../../values/any.js";
import type { Rotation } from "../../lifecycle/readers.js";
import { isWrittenByHand } from "../../lifecycle/import-file.js";
import { isUnconfirmed } from "../../lifecycle/effects/effect.js";
import { namesOf } from "../pulumi/names.js";

export interface StackState {
  /** Empty if the state has no resource. */
  readonly project: string;
  readonly stack: string;
  /** When the engine wrote the state, ISO 8601. */
  readonly time: string | undefined;
  /** The objects of this package. */
  readonly objects: readonly ObjectState[];
  /** Of all packages: operations that the engine started and did not see finish. It keeps a create whose row exists by now: that one is left out. */
  readonly pendingOperations: readonly PendingOperation[];
  /** Why this machine cannot remember what it sends, as a sentence; undefined if it can. */
  readonly memory?: string;
}

export interface PendingOperation {
  /** "creating", "updating", "deleting", "reading" or "importing". */
  readonly type: string;
  readonly urn: string;
  /** The resource's name, as in {@link ObjectState}. */
  readonly name: string;
  /** Undefined for a resource of another package. */
  readonly object: PendingObject | undefined;
  /** Of the row that it deletes. */
  readonly requestId: string | undefined;
}

type PendingObject = Pick<ObjectState, "type" | "organization" | "id">;

export interface ObjectState {
  readonly urn: string;
  /** For people: the resource's name, without that of the only organization. */
  readonly name: string;
  readonly type: ResourceType;
  /** The organization, as the resource's `organization`. */
  readonly organization: string;
  /** The address of its requests; undefined if the organization is named by it. */
  readonly address: string | undefined;
  /** The id of its row, see `lifecycle/pending.ts`; undefined for one of an import file. */
  readonly requestId: string | undefined;
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
  /** Only of a resource that rotates a secret. */
  readonly rotation: Rotation | undefined;
  /** A setting with adopted values: no request has sent them. */
  readonly adopted: boolean;
  /** The answer to the last request was lost. The next update sends again. */
  readonly uncertain: boolean;
  /** Rotated, and no secret was found in the answer. */
  readonly unread: boolean;
  /** Whether the row has a secret, or an answer that may have it: often the only copy. */
  readonly hasSecret: boolean;
  /** Errors of the last update, as many as the engine keeps. */
  readonly initErrors: number;
  /** Whether the engine has still to delete or replace it. */
  readonly leaving: boolean;
  /** Whether the engine has only to delete it. Another resource may have its URN. */
  readonly deleted: boolean;
  /** The next due date, `rotateOn` or `reassertOn`: YYYY-MM-DD in UTC. */
  readonly dueOn: string | undefined;
}

/** Seconds since the last rotation; undefined if the resource never rotated the secret. */
export function secretAgeOf({ rotation }: ObjectState, now: Date): number | undefined {
  return rotation?.at === undefined ? undefined : Math.round((now.getTime() - Date.parse(rotation.at)) / 1000);
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
  resources: z.array(resourceSchema).nullish(),
  pending_operations: z
    .array(
      z.object({
        type: z.string(),
        resource: z.object({ urn: z.string().startsWith("urn:pulumi:"), inputs: values, outputs: values }),
      }),
    )
    .nullish(),
});

/** @throws Error in one line, with nothing of the text */
export function readStackState(text: string): StackState {
  const { version, deployment } = deploymentIn(text);
  const unreadable = (why: string) => new Error(`the input is a stack's export that cannot be read: ${why}`);
  if (!knownVersions.includes(version))
    throw unreadable("its version is not one that this version of voiceplane knows (3, 4)");
  const parsed = deploymentSchema.safeParse(deployment);
  // Keys of the format, which contain no secret.
  if (!parsed.success)
    throw unreadable(`${parsed.error.issues[0]?.path.slice(0, 3).join(".")} is missing or has another type`);
  const { manifest, resources: all, pending_operations } = parsed.data;
  const pending = (pending_operations ?? []).map(({ type, resource: { urn, inputs, outputs } }) => {
    return { type, urn, object: pendingObject(urn, inputs ?? {}), requestId: idIn(outputs) };
  });
  const urns = [...(all ?? []), ...pending].map(({ urn }) => urn);
  const nameOf = namesOf(urns);
  const { stack, project } = urnParts(urns[0] ?? "");
  const objects = (all ?? []).flatMap((resource) => objectOf(resource, nameOf));
  return {
    project,
    stack,
    // Of a stack without an update, Pulumi Cloud says the year 1.
    time: manifest?.time?.startsWith("0001-") === true ? undefined : (manifest?.time ?? undefined),
    objects,
    pendingOperations: pending
      .filter((operation) => operation.type !== "creating" || rowOf(objects, operation) === undefined)
      .map((operation) => ({ ...operation, name: nameOf(operation.urn) })),
  };
}

const idIn = (outputs: Values | null | undefined) =>
  typeof outputs?.requestId === "string" ? outputs.requestId : undefined;

type Pending = Pick<PendingOperation, "urn" | "object">;

/** The row of the operation's object. Of a replacement that has not ended, the row with the URN may be of the object before it. */
const rowOf = (objects: readonly ObjectState[], { urn, object }: Pending): ObjectState | undefined =>
  objects.find(
    ({ id, organization, deleted, ...row }) =>
      row.urn === urn &&
      !deleted &&
      organization === object?.organization &&
      (id === undefined || object.id === undefined || isSameId(id, object.id)),
  );

/** Of checkpoints and exports. */
const knownVersions: readonly unknown[] = [3, 4];

function deploymentIn(text: string): { readonly version: unknown; readonly deployment: unknown } {
  const advice = "pass the complete output of `pulumi stack export`";
  if (text.trim() === "") throw new Error(`the input is empty: ${advice}`);
  const document = parseJson(text.replace(/^\uFEFF/, ""));
  const { version, deployment, checkpoint } = isObject(document) ? document : {};
  if (isObject(deployment)) return { version, deployment };
  if (isObject(checkpoint)) return { version, deployment: checkpoint.latest ?? {} };
  throw new Error(`the input is not a stack's state, or not all of it: ${advice}`);
}

type Resource = z.infer<typeof resourceSchema>;

type NameOf = ReturnType<typeof namesOf>;

const isLeaving = ({ delete: isDeleted, pendingReplacement, taint }: Resource): boolean =>
  isDeleted === true || pendingReplacement === true || taint === true;

function objectOf(resource: Resource, nameOf: NameOf): ObjectState[] {
  const type = resourceTypeOf(resource.type);
  if (type === undefined) return [];
  const { lifecycle, args } = resources[type];
  const inputs = resource.inputs ?? {};
  const outputs = resource.outputs ?? {};
  const secrets = new Set([...(lifecycle.secrets ?? []), ...(resource.additionalSecretOutputs ?? [])]);
  const isSecret = (key: string) => secrets.has(key) || isMarked(inputs[key]) || isMarked(outputs[key]);
  const shown: Values = Object.fromEntries(
    Object.entries(withoutSecrets(outputs)).map(([key, value]) => [key, isSecret(key) ? secretText : value]),
  );
  /** Undefined if the value is secret or not a text. */
  const textOf = (from: Values, key: string) => {
    const value = from[key];
    return typeof value === "string" && !isSecret(key) ? value : undefined;
  };
  const sentKeys = Object.keys(args.shape).filter(
    (key) => key in outputs && key !== lifecycle.identity && key !== "onDelete",
  );
  // A mark that the program made secret cannot be read.
  const isMarkHidden = Object.keys(lifecycle.mark).some((key) => shown[key] === secretText);
  const created = resource.created ?? undefined;
  const modified = resource.modified ?? created;
  const found = lifecycle.rotation?.(shown);
  const rotation = found && { ...found, at: timeIn(found.at) };
  const adopted = rotation === undefined && (isUnconfirmed(outputs) || isWrittenByHand(inputs));
  const sendsNothing = adopted || lifecycle.everSends?.(outputs) === false;
  const settingSentAt = sendsNothing ? undefined : modified;
  return [
    {
      urn: resource.urn,
      name: nameOf(resource.urn),
      type,
      organization: textOf(outputs, "organization") ?? textOf(inputs, "organization") ?? "",
      address: textOf(outputs, "address"),
      requestId: textOf(outputs, "requestId"),
      id: isSecret(lifecycle.identity) ? undefined : (resource.id ?? undefined),
      sent: Object.fromEntries(sentKeys.map((key) => [key, shown[key]])),
      sentAt: rotation ? rotation.at : settingSentAt,
      created,
      modified,
      rotation,
      adopted,
      uncertain: lifecycle.isUncertain(outputs) || isMarkHidden,
      unread: lifecycle.isUnread?.(shown) === true,
      hasSecret: lifecycle.secretCopy?.isIn(outputs) === true,
      initErrors: resource.initErrors?.length ?? 0,
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
  return { type, organization: textOf("organization") ?? "", id: textOf(resources[type].lifecycle.identity) };
}

/** Undefined if the text is not a time. */
function timeIn(text: string | undefined): string | undefined {
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}
