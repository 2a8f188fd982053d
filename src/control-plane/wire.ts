import { z } from "zod";
import {
  operations,
  type OperationName,
  retentionDaysLimits,
  type NetworkPolicyBody,
  type RetentionPolicyBody,
} from "../contract/index.js";

export type Route =
  | { readonly kind: "operation"; readonly operation: OperationName; readonly parameter: string }
  | { readonly kind: "bad-parameter"; readonly operation: OperationName }
  | { readonly kind: "unknown-method"; readonly allow: string }
  | { readonly kind: "unknown-path" };

const patterns = (Object.keys(operations) as OperationName[]).map((operation) => ({
  operation,
  method: operations[operation].method,
  // A path of the interface has at most one parameter, which is one non-empty segment.
  pattern: new RegExp(`^${operations[operation].path.replace(/\{\w+\}/, "([^/]+)")}$`),
}));

/** Finds the operation of a request. `path` has no query and is not normalized: dot segments and slashes stay. */
export function route(method: string, path: string): Route {
  const matches = patterns.filter(({ pattern }) => pattern.test(path));
  if (matches.length === 0) return { kind: "unknown-path" };
  const match = matches.find((candidate) => candidate.method === method);
  if (match === undefined) return { kind: "unknown-method", allow: matches.map((known) => known.method).join(", ") };
  const parameter = decode(match.pattern.exec(path)?.[1] ?? "");
  return parameter === undefined
    ? { kind: "bad-parameter", operation: match.operation }
    : { kind: "operation", operation: match.operation, parameter };
}

function decode(segment: string): string | undefined {
  try {
    return canonicalId(decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** UUIDs are case-insensitive. Other ids stay as they are. */
export function canonicalId(text: string): string {
  return isUuid(text) ? text.toLowerCase() : text;
}

/** The bodies of the contract as schemas: what the control plane accepts. */

export const retentionPolicyBody = z.object({
  /** A whole number of days from 1 to 3650. */
  retention_days: z.int().min(retentionDaysLimits.min).max(retentionDaysLimits.max),
  /** Whether the policy is in force. */
  enabled: z.boolean(),
}) satisfies z.ZodType<RetentionPolicyBody>;

export const networkPolicyBody = z.object({
  name: z.string().optional(),
  source_cidr: z.string().optional(),
}) satisfies z.ZodType<NetworkPolicyBody>;
