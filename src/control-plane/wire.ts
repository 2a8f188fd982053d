import { z } from "zod";
import {
  operations,
  type OperationName,
  retentionDaysLimits,
  type NetworkPolicyBody,
  type RetentionPolicyBody,
} from "../contract/index.js";

export interface OperationRoute {
  readonly kind: "operation";
  readonly operation: OperationName;
  /** Decoded; empty if the path has none; undefined if it is not encoded correctly. */
  readonly parameter: string | undefined;
}

export type Route =
  OperationRoute | { readonly kind: "unknown-method"; readonly allow: string } | { readonly kind: "unknown-path" };

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
  return { kind: "operation", operation: match.operation, parameter: decode(match.pattern.exec(path)?.[1] ?? "") };
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

/** Every problem with its place, and without values. */
export function issuesText({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": ")).join("; ");
}
