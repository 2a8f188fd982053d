/** The state of a stack: its objects and what is pending. It contains no secret, not even encrypted. */
import { isObject, textIn, type Values } from "../../values/any.js";
import { secretsOf, type Environment } from "../../values/environment.js";
import { cleanText } from "../../values/text.js";
import { isMarked, organizationType, secretText, urnParts, withoutSecrets } from "../../values/engine.js";
import { isSameId } from "../../lifecycle/object.js";
import type { Section } from "../../resources/definition.js";
import { resources, resourceTypeOf, type ResourceType } from "../../resources/index.js";
import type { Rotation } from "../../lifecycle/readers.js";
import { isUnconfirmed } from "../../lifecycle/effects/risk.js";
import { failureOf, jsonIn, type Pulumi } from "../pulumi/cli.js";
import { namesOf } from "../pulumi/steps.js";
import { readDeployment, type DeployedResource } from "./deployment.js";

export interface StackState {
  /** Empty if the state has no resource. */
  readonly project: string;
  readonly stack: string;
  readonly objects: readonly ObjectState[];
  /**
   * The operations, of all packages, that the engine started and did not see finish. The engine still lists a create if its object has got a state
   * since: such a create is left out.
   */
  readonly pendingOperations: readonly PendingOperation[];
}

export interface PendingOperation {
  /** "creating", "updating", "deleting", "reading" or "importing". */
  readonly type: string;
  readonly urn: string;
  readonly name: string;
  /** The type of the resource; undefined for one of another package. */
  readonly object: ResourceType | undefined;
}

export interface ObjectState {
  readonly urn: string;
  /** The resource's name, without that of the only organization. */
  readonly name: string;
  readonly type: ResourceType;
  readonly organization: string;
  /** The object's id; undefined if the program made it secret. */
  readonly id: string | undefined;
  /** The arguments of the last answered request, or of the first one, with {@link secretText} for secrets. */
  readonly sent: Values;
  /**
   * When that request was sent, ISO 8601. For a rotation, it is the time of the answer. For a setting, it is the time
   * of the last update, which may have only stored an option.
   */
  readonly sentAt: string | undefined;
  /** Undefined for a resource that rotates no secret. */
  readonly rotation: Rotation | undefined;
  /** Whether it is a setting with adopted values, which no request has sent. */
  readonly adopted: boolean;
  /** Whether the last request may have been carried out: the next update sends it again. */
  readonly uncertain: boolean;
  /** Whether it was rotated, and no secret was found in the answer. */
  readonly unread: boolean;
  /** Whether the outputs of its Organization do not have its secret: an update stopped before it wrote them, or left out its removal. */
  readonly outputsStale: boolean;
  /** Whether the engine has only to delete it. Another resource may have its URN. */
  readonly deleted: boolean;
  /** The next due date, `rotateOn` or `reassertOn`: YYYY-MM-DD in UTC. */
  readonly dueOn: string | undefined;
}

/** The state of a stack, as the CLI exports it. @param stack undefined for the selected one. @throws Error in one line */
export async function exportedState(pulumi: Pulumi, stack: string | undefined, env: Environment): Promise<StackState> {
  const finished = await pulumi(["stack", "export", ...(stack === undefined ? [] : ["--stack", stack])]);
  if (finished.code === 0) return readStackState(jsonIn(finished.stdout));
  // The CLI's error says that there is no such stack, or that the backend is not reachable or refuses the token.
  const error = cleanText(failureOf(finished), secretsOf(env)) ?? "";
  throw new Error(
    `the state of ${stack === undefined ? "the selected stack" : `the stack ${stack}`} cannot be read: ${error}`,
  );
}

/** @param document an export. @throws Error in one line, with nothing of it */
export function readStackState(document: unknown): StackState {
  const deployment = readDeployment(document);
  const pending = deployment.pending_operations.map(({ type, resource }) => ({ type, ...resource }));
  const urns = [...deployment.resources, ...pending].map(({ urn }) => urn);
  const nameOf = namesOf(urns);
  const { stack, project } = urnParts(urns[0] ?? "");
  // A program may export the ids of an Organization under the same name, so that its stack has them too.
  const organizations = deployment.resources.filter(({ type }) => type === organizationType);
  const outputsOf = new Map(organizations.map(({ urn, outputs }) => [urn, outputs]));
  const objects = deployment.resources.flatMap(
    (resource) => objectOf(resource, nameOf, outputsOf.get(resource.parent ?? "")) ?? [],
  );
  return {
    project,
    stack,
    objects,
    pendingOperations: pending
      .filter((operation) => operation.type !== "creating" || !isMade(objects, operation))
      .map(({ type, urn }) => ({ type, urn, name: nameOf(urn), object: resourceTypeOf(urnParts(urn).type) })),
  };
}

/** Whether the object of a create has a state. During a replacement, the state with its URN may be of the former object. */
function isMade(
  objects: readonly ObjectState[],
  { urn, inputs }: { readonly urn: string; readonly inputs: Values },
): boolean {
  return objects.some(({ type, id, deleted, ...object }) => {
    const created = textIn(inputs, resources[type].lifecycle.identity);
    return object.urn === urn && !deleted && (id === undefined || created === undefined || isSameId(id, created));
  });
}

/** Undefined for a resource of another package. @param parentOutputs those of the Organization that declares the resource */
function objectOf(
  resource: DeployedResource,
  nameOf: (urn: string) => string,
  parentOutputs: Values = {},
): ObjectState | undefined {
  const type = resourceTypeOf(resource.type);
  if (type === undefined) return undefined;
  const { lifecycle, args, section } = resources[type];
  const { inputs, outputs } = resource;
  const secrets = new Set([...(lifecycle.secrets ?? []), ...resource.additionalSecretOutputs]);
  const isHidden = (key: string) => secrets.has(key) || isMarked(inputs[key]) || isMarked(outputs[key]);
  const shown: Values = Object.fromEntries(
    Object.entries(withoutSecrets(outputs)).map(([key, value]) => [key, isHidden(key) ? secretText : value]),
  );
  /** Undefined if the value is secret or not a text. */
  const visibleText = (from: Values, key: string) => (isHidden(key) ? undefined : textIn(from, key));
  const sentKeys = Object.keys(args.shape).filter(
    (key) => key in outputs && key !== lifecycle.identity && key !== "onDelete",
  );
  // Where the program made the mark of an uncertain state secret, it cannot be read.
  const isMarkHidden = Object.keys(lifecycle.mark).some((key) => shown[key] === secretText);
  const modified = resource.modified ?? resource.created ?? undefined;
  const found = lifecycle.rotation?.(shown);
  const rotation = found && { ...found, at: timeIn(found.at) };
  const adopted = rotation === undefined && isUnconfirmed(outputs);
  const sendsNothing = adopted || lifecycle.everSends?.(outputs) === false;
  const settingSentAt = sendsNothing ? undefined : modified;
  const requestId = visibleText(outputs, "requestId");
  const uncertain = lifecycle.isUncertain(outputs) || isMarkHidden;
  // The state of an uncertain object has no newer secret than the outputs.
  const hasSecret = lifecycle.secretCopy?.isIn(outputs) === true;
  const isCompared = requestId !== undefined && hasSecret && !uncertain && resource.delete !== true;
  return {
    urn: resource.urn,
    name: nameOf(resource.urn),
    type,
    organization: visibleText(outputs, "organization") ?? visibleText(inputs, "organization") ?? "",
    id: isHidden(lifecycle.identity) ? undefined : (resource.id ?? undefined),
    sent: Object.fromEntries(sentKeys.map((key) => [key, shown[key]])),
    sentAt: rotation ? rotation.at : settingSentAt,
    rotation,
    adopted,
    uncertain,
    unread: lifecycle.isUnread?.(shown) === true,
    outputsStale: isCompared && isMissingIn(parentOutputs, section, requestId),
    deleted: resource.delete === true,
    dueOn: timeIn(visibleText(inputs, lifecycle.date)),
  };
}

/** Whether the outputs have request ids, but not this one. An earlier version, and a first update that stopped, have written none. */
function isMissingIn(parentOutputs: Values, { outputs = {} }: Section, requestId: string): boolean {
  return Object.entries(outputs).some(([name, { isPlain }]) => {
    const ids = parentOutputs[name];
    return isPlain === true && isObject(ids) && !isMarked(ids) && !Object.values(ids).includes(requestId);
  });
}

/** Undefined if the text is not a time. */
const timeIn = (text = ""): string | undefined => (Number.isNaN(Date.parse(text)) ? undefined : text);
