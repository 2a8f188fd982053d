/** The operations: their paths, and which kind of object answers each. */
import { operations, type OperationName } from "../contract/index.js";
import { kindList, type KindName } from "./objects/index.js";
import { canonicalId, Refusal, type Operation, type RecordOf } from "./objects/kind.js";

export const codes: Readonly<Partial<Record<number, string>>> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  402: "PAYMENT_REQUIRED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  422: "UNPROCESSABLE_ENTITY",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_ERROR",
  501: "NOT_IMPLEMENTED",
  503: "SERVICE_UNAVAILABLE",
};

const patterns = (Object.keys(operations) as OperationName[]).map((operation) => ({
  operation,
  method: operations[operation].method,
  pattern: new RegExp(`^${operations[operation].path.replace(/\{\w+\}/, "([^/]+)")}$`),
}));

/** The operation of a request with its parameter, still encoded, or the methods that the path has. `path` is not normalized. */
export function route(method: string, path: string) {
  const matches = patterns.filter(({ pattern }) => pattern.test(path));
  const match = matches.find((candidate) => candidate.method === method);
  if (match === undefined) return { allow: matches.map((known) => known.method) };
  return { operation: match.operation, parameter: match.pattern.exec(path)?.[1] ?? "" };
}

export function decoded(parameter: string): string {
  try {
    return canonicalId(decodeURIComponent(parameter));
  } catch {
    throw new Refusal("the path is not percent-encoded correctly");
  }
}

/** The fields of a body that the interface defines. Others may contain anything. */
export const bodyFields: ReadonlySet<string> = new Set(
  kindList.flatMap(([, { body }]) => Object.keys(body?.shape ?? {})),
);

/** For each operation, what answers it, and the kind of its object. */
export const handlers = Object.fromEntries(
  kindList.flatMap(([kind, { operations: own }]) =>
    Object.entries(own).map(([operation, handler]) => [operation, { kind, ...handler }]),
  ),
) as unknown as Readonly<Record<OperationName, Operation<RecordOf> & { readonly kind: KindName }>>;
