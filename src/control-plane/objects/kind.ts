/** What one kind of object is: its operations, its part of a seed, and the objects of a new control plane. */
import { z } from "zod";
import type { OperationName } from "../../contract/index.js";

/** What every object has. */
export interface CommonFields {
  readonly organization_id: string;
  /** ISO 8601 in UTC, by the control plane's clock. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** The objects of one kind, by id. A change is stored with the answer. */
export interface Objects<R> {
  get(id: string): R | undefined;
  set(id: string, object: R): void;
  all(): R[];
  /** The control plane's time, ISO 8601 in UTC. */
  now(): string;
}

interface Operation<R> {
  /** What the token needs: a scope, with a colon, where the interface names one, else a permission. */
  readonly right: string;
  /** Makes the change. @returns the answer's `data`; undefined for a 204 @throws Refusal before anything has changed */
  readonly answer: (objects: Objects<R>, id: string, body: () => unknown) => unknown;
}

export interface Kind<R extends CommonFields, Seed extends z.ZodRawShape> {
  readonly operations: Readonly<Partial<Record<OperationName, Operation<R>>>>;
  /** The fields of bodies that the interface defines. The journal shows no others. */
  readonly bodyFields: readonly string[];
  /** The fields of an object in a seed. */
  readonly seed: Seed;
  /** The objects of a new control plane. Their ids never change, because examples use them. */
  readonly initial: readonly z.input<z.ZodObject<Seed>>[];
  readonly idOf: (object: R) => string;
  readonly seeded: (fields: z.output<z.ZodObject<Seed>>, common: CommonFields) => R;
}

/** TypeScript infers the fields of a seed only where the type of an object is given by itself. */
export const kindOf =
  <R extends CommonFields>() =>
  <const Seed extends z.ZodRawShape>(definition: Kind<R, Seed>): Kind<R, Seed> =>
    definition;

/** There is one organization, whichever token is used. */
export const organizationId = "d0000000-0000-4000-8000-000000000001";

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** UUIDs are case-insensitive. Other ids stay as they are. */
export const canonicalId = (text: string): string => (isUuid(text) ? text.toLowerCase() : text);

export const idField = z.string().min(1).transform(canonicalId);
export const timeField = z.iso.datetime().optional();

/** A request that is refused before anything has changed. */
export class Refusal extends Error {
  /** @param reason for the journal, where it may say more than the answer */
  constructor(
    message: string,
    readonly status = 400,
    readonly reason = message,
  ) {
    super(message);
  }
}

/** Throws every problem with its place, and without values. */
export function parsed<T extends z.ZodType>(schema: T, input: unknown, Fail: new (text: string) => Error): z.output<T> {
  const { data, error } = schema.safeParse(input);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw new Fail(problems.join("; "));
}

/** Deployed servers use UUIDs only. A seed may use other ids, because the interface does not restrict them. */
export function missing(noun: string, id: string): never {
  if (!isUuid(id)) throw new Refusal(`${noun}_id must be a UUID`);
  throw new Refusal(`${noun} not found`, 404);
}
