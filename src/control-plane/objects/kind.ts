/** What one kind of object is: its operations, its part of a seed, and the objects of a new control plane. */
import { z } from "zod";
import type { OperationName } from "../../contract/index.js";

/** What every object has. */
interface CommonFields {
  readonly organization_id: string;
  /** ISO 8601 in UTC, by the control plane's clock. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** An object, with the field names of the interface. */
export type RecordOf<Seed extends z.ZodObject = z.ZodObject, Own = unknown> = CommonFields &
  Readonly<Omit<z.output<Seed>, "created_at">> &
  Own;

/** A request that a token with the right has sent. */
interface ObjectRequest<R> {
  readonly id: string;
  /** The object with this id. */
  readonly before: R | undefined;
  /** All objects of its kind. */
  readonly all: () => R[];
  /** The control plane's time, ISO 8601 in UTC. */
  readonly now: string;
  /** The body's JSON. @throws Refusal if the body is not JSON */
  readonly json: () => unknown;
}

export interface Operation<R> {
  /** What the token needs: a scope, with a colon, where the interface names one, else a permission. */
  readonly right: string;
  /** The object that is stored, if it changes, and the answer's `data`; undefined for a 204. @throws Refusal */
  readonly answer: (request: ObjectRequest<R>) => { readonly object?: R; readonly data?: unknown };
}

/** `Own` is what an object has beside the fields of a seed. */
export interface Kind<Seed extends z.ZodObject = z.ZodObject, Own = unknown> {
  readonly operations: Readonly<Partial<Record<OperationName, Operation<RecordOf<Seed, Own>>>>>;
  /** The schema of its operations' bodies, if they have one. The journal shows no other fields. */
  readonly body?: z.ZodObject;
  /** The schema of an object in a seed. */
  readonly seed: Seed;
  /** The field with the id. */
  readonly key: keyof z.output<Seed>;
  /** The objects of a new control plane. Their ids never change, because examples use them. */
  readonly initial: readonly z.input<Seed>[];
  /** Makes these fields for a new object. */
  readonly own?: (seed: z.output<Seed>, createdAt: string) => Own;
}

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

/** The parsed input. Throws one error with the place of every problem, and without values. */
export function parsed<T extends z.ZodType>(schema: T, input: unknown, Fail: new (text: string) => Error): z.output<T> {
  const { data, error } = schema.safeParse(input);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw new Fail(problems.join("; "));
}

/** Refuses an id of no object. A deployed server calls an id that is no UUID malformed. A seed may have any, as the interface allows it. */
export function missing(noun: string, id: string): never {
  if (!isUuid(id)) throw new Refusal(`${noun}_id must be a UUID`);
  throw new Refusal(`${noun} not found`, 404);
}
