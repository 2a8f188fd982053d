/** Which object it is: its key, its name in messages, and whether two values are equal. */
import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { textOf, type Values } from "../values/any.js";
import { printable } from "../values/text.js";

/** In every resource's inputs and state, added by `check`. A type, because interfaces are not assignable to Values. */
export type OrganizationScoped = Readonly<{
  organization: string;
  /** The address of requests; absent while a preview does not know it. */
  address?: string;
  /** The previous address, in inputs with a different one. The underscores hide it from previews. */
  __movedFrom?: string;
  /** In a state: the random id of the request that made it, or one of its own if it was adopted. Outputs of a stack are compared by it. */
  requestId?: string;
}>;

export const newRequestId = (): string => randomBytes(8).toString("hex");

/** Whether these properties are equal in both. An empty map or list equals a missing one. */
export function sameValues<Key extends string>(
  state: Readonly<Partial<Record<Key, unknown>>>,
  inputs: Readonly<Partial<Record<Key, unknown>>>,
  keys: readonly Key[],
): boolean {
  return keys.every((key) => isDeepStrictEqual(missingIfEmpty(state[key]), missingIfEmpty(inputs[key])));
}

function missingIfEmpty(value: unknown): unknown {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0 ? undefined : value;
}

/** The members of a lifecycle that its objects are named by. */
export interface ResourceName {
  readonly type: string;
  readonly identity: string;
}

/** An id in lower case, because servers accept several spellings. In doubt it is the same object, and a delete sends nothing. */
export const idKey = (id: string): string => id.toLowerCase();

export const isSameId = (id: string, other: string): boolean => idKey(id) === idKey(other);

/** The key of an object: its type, the name of its organization, and its id. */
export const objectKey = (type: string, id: string, organization: string): string =>
  idKey(`${type} ${JSON.stringify(id)} of ${organization}`);

/** The key of the object of these inputs, or of this state. */
export const keyOf = ({ type, identity }: ResourceName, values: OrganizationScoped): string =>
  objectKey(type, textOf((values as Values)[identity]), values.organization);

/** An object in messages: `NetworkPolicy "np-1" of acme`. */
export function objectText(lifecycle: ResourceName, values: Values): string {
  return printable(`${lifecycle.type} ${objectName(values[lifecycle.identity], values.organization)}`);
}

/** `"np-1" of acme`; the id alone where the organization is not known. */
export function objectName(id: unknown, organization: unknown): string {
  return `"${textOf(id)}"${organization === "" ? "" : ` of ${textOf(organization)}`}`;
}
