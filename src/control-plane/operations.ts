/** The operations: their paths, and which kind of object answers each. */
import type { z } from "zod";
import { operations, type OperationName } from "../contract/index.js";
import type { State } from "./records.js";
import { kindNames, kinds, type KindName } from "./objects/index.js";
import { canonicalId, Refusal, type CommonFields, type Kind, type Objects } from "./objects/kind.js";
import type { Store } from "./store.js";

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

const all = kindNames.map((name) => [name, kinds[name] as unknown as Kind<CommonFields, z.ZodRawShape>] as const);

/** The fields of a body that the interface defines. Others may contain anything. */
export const bodyFields: ReadonlySet<string> = new Set(all.flatMap(([, { bodyFields }]) => bodyFields));

/** All objects. */
export function stateOf(store: Store): State {
  return Object.fromEntries(kindNames.map((kind) => [kind, objectsOf(store, kind).all()])) as unknown as State;
}

function objectsOf(store: Store, kind: KindName): Objects<CommonFields> {
  const objects: Record<string, CommonFields> = store.data.records[kind];
  return {
    get: (id) => (Object.hasOwn(objects, id) ? objects[id] : undefined),
    set: (id, object) => void (objects[id] = object),
    all: () => Object.values(objects),
    now: () => store.now().toISOString(),
  };
}

const handlers = all.flatMap(([kind, { operations: own }]) =>
  Object.entries(own).map(([operation, { right, answer }]) => ({ operation, kind, right, answer })),
);

function handlerOf(operation: OperationName) {
  const handler = handlers.find((each) => each.operation === operation);
  if (!handler) throw new Error(`no kind of object answers ${operation}`);
  return handler;
}

/** What the token needs. */
export const rightOf = (operation: OperationName): string => handlerOf(operation).right;

/** Call it inside {@link Store.change}. @returns the answer's `data`; undefined for a 204 @throws Refusal before anything has changed */
export function answerOf(operation: OperationName, store: Store, id: string, body: () => unknown): unknown {
  const { kind, answer } = handlerOf(operation);
  return answer(objectsOf(store, kind), id, body);
}
