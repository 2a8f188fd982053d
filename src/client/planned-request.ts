/** A request that a preview has planned, and whether a request of the update fits it. */
import { isDeepStrictEqual } from "node:util";
import { operations, type OperationName } from "../contract/index.js";
import type { Values } from "../values/any.js";
import { containsHidden, containsUnknown } from "../values/engine.js";
import { pathOf, type PathParameters } from "./api.js";

/** Whose request it is. What is absent is not known, and may be any. */
interface Owner {
  readonly organization?: string | undefined;
  /** Where it goes: origin and path of the base URL. */
  readonly address?: string | undefined;
}

export interface PlannedRequest extends Owner {
  readonly operation: OperationName;
  /** A parameter that is not known stands in braces, as in the contract. An id never has braces here: they are percent-encoded. */
  readonly path: string;
  /** The members that are known. Absent if the operation has no body, or if nothing of it is known. */
  readonly body?: Values | undefined;
  /** The members of the body that are not known or secret: each may have any value, or be absent. */
  readonly open?: readonly string[] | undefined;
}

const isOpen = (value: unknown): boolean => containsUnknown(value) || containsHidden(value);

/** @throws ConfigError for an id that cannot be sent */
export function plannedRequest(
  operation: OperationName,
  parameters: PathParameters,
  body: object | undefined,
  owner: Owner = {},
): PlannedRequest {
  const members = Object.entries(body ?? {}).filter(([, value]) => value !== undefined);
  const open = members.filter(([, value]) => isOpen(value)).map(([name]) => name);
  return {
    operation,
    path: pathOf(operation, parameters, isOpen),
    ...(body && { body: Object.fromEntries(members.filter(([name]) => !open.includes(name))) }),
    ...(open.length > 0 && { open }),
    ...owner,
  };
}

/** Any request of an operation: neither its object nor its values are known. */
export const anyRequest = (operation: OperationName, owner: Owner): PlannedRequest => ({
  operation,
  path: operations[operation].path,
  ...owner,
});

/** Whether `planned` allows `request`. What is open in the plan allows anything in that place, and nothing in another one. */
export function fits(planned: PlannedRequest, request: PlannedRequest): boolean {
  return (
    planned.operation === request.operation &&
    pathFits(planned.path, request.path) &&
    isAllowed(planned.organization, request.organization) &&
    isAllowed(planned.address, request.address) &&
    differingMembers(planned, request).length === 0
  );
}

const isAllowed = (planned: string | undefined, value: string | undefined): boolean =>
  planned === undefined || planned === value;

function pathFits(planned: string, path: string): boolean {
  if (!planned.includes("{")) return planned === path;
  const [allowed, segments] = [planned.split("/"), path.split("/")];
  return (
    allowed.length === segments.length &&
    allowed.every((segment, index) => segment.startsWith("{") || segment === segments[index])
  );
}

/** The members of the body that the plan does not allow as they are. */
export function differingMembers(planned: PlannedRequest, request: PlannedRequest): string[] {
  if (planned.body === undefined) return [];
  const [allowed, sent] = [planned.body, request.body ?? {}];
  const names = new Set([...Object.keys(allowed), ...Object.keys(sent), ...(request.open ?? [])]);
  const isSame = (name: string) => !request.open?.includes(name) && isDeepStrictEqual(allowed[name], sent[name]);
  return [...names].filter((name) => !planned.open?.includes(name) && !isSame(name));
}

/** Those of a plan with this operation and path, whatever their bodies and owners. */
export const plannedNear = (plan: readonly PlannedRequest[], request: PlannedRequest): PlannedRequest[] =>
  plan.filter(({ operation, path }) => operation === request.operation && pathFits(path, request.path));

export const isPlanned = (plan: readonly PlannedRequest[], request: PlannedRequest): boolean =>
  plan.some((planned) => fits(planned, request));
