import { operations, type OperationName } from "../contract.js";
import { canonicalId } from "./ids.js";

export type Route =
  | { readonly kind: "operation"; readonly operation: OperationName; readonly parameter: string }
  | { readonly kind: "bad-parameter"; readonly operation: OperationName }
  | { readonly kind: "unknown-method"; readonly allow: string }
  | { readonly kind: "unknown-path" };

const patterns = (Object.keys(operations) as OperationName[]).map((operation) => ({
  operation,
  method: operations[operation].method,
  // The interface's own path; its one parameter is one segment that is not empty.
  pattern: new RegExp(`^${operations[operation].path.replace(/\{\w+\}/, "([^/]+)")}$`),
}));

/**
 * Which operation a request is. The path is taken as it came: no dot segments resolved, no slashes merged or added.
 *
 * @param path without the query
 */
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
