/** The objects. Each collection is a member of {@link collections}, from which the seed and the state follow. */
import { z } from "zod";
import { canonicalCidr } from "../contract/cidr.js";
import { retentionDaysLimits, retentionResources } from "../contract/index.js";

/** The control plane cannot start or store, or an input is invalid. The message is one line, and repeats no value of an input. */
export class ControlPlaneError extends Error {
  override readonly name = "ControlPlaneError";
}

/** A request that is refused before anything has changed. */
export class RefusedRequest extends Error {
  /** @param reason for the journal, where it may say more than the answer */
  constructor(
    message: string,
    readonly status = 400,
    readonly reason = message,
  ) {
    super(message);
  }
}

/** An object without other keys. The error about one names those that exist. */
export const strict = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `no such key: ${issue.keys.join(", ")}; known are ${Object.keys(shape).join(", ")}`
        : undefined,
  });

/** The parsed input. Throws one error with the place of every problem, and without values. */
export function parsed<T extends z.ZodType>(
  schema: T,
  input: unknown,
  Fail: new (text: string) => Error = ControlPlaneError,
): z.output<T> {
  const { data, error } = schema.safeParse(input);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw new Fail(problems.join("; "));
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** UUIDs are case-insensitive. Other ids stay as they are. */
export const canonicalId = (text: string): string => (isUuid(text) ? text.toLowerCase() : text);

/** Refuses an id that no object has. A deployed server calls an id malformed that is no UUID. A seed may have any id, as the interface allows it. */
export function refuseMissing(noun: string, id: string): never {
  if (!isUuid(id)) throw new RefusedRequest(`${noun}_id must be a UUID`);
  throw new RefusedRequest(`${noun} not found`, 404);
}

export const idField = z.string().min(1).transform(canonicalId);
const timeField = z.iso.datetime().optional();

/** There is one organization, whichever token is used. */
export const organizationId = "d0000000-0000-4000-8000-000000000001";

/** The fields of the bodies. The journal shows no others. */
export const bodies = {
  retentionPolicy: z.object({
    retention_days: z.int().min(retentionDaysLimits.min).max(retentionDaysLimits.max),
    enabled: z.boolean(),
  }),
  networkPolicy: z.object({ name: z.string().optional(), source_cidr: z.string().optional() }),
};

interface Collection {
  /** The schema of an object in a seed. */
  readonly seed: z.ZodObject;
  /** The objects of a new control plane. Their ids never change, because examples use them. */
  readonly initial: readonly object[];
}

const ids = (letter: string) => (n: number) => `${letter}0000000-0000-4000-8000-00000000000${n}`;
const [policy, trunk, webhook] = [ids("a"), ids("b"), ids("c")];

export const collections = {
  retentionPolicies: {
    seed: strict({ resource: z.enum(retentionResources), ...bodies.retentionPolicy.shape, created_at: timeField }),
    initial: [],
  },
  networkPolicies: {
    seed: strict({
      id: idField,
      name: z.string(),
      source_cidr: z
        .string()
        .refine((text) => canonicalCidr(text) !== undefined, "not a CIDR range")
        .transform((text) => canonicalCidr(text) ?? text),
      action: z.enum(["allow", "deny"]).default("allow"),
      status: z.enum(["active", "disabled"]).default("active"),
      created_at: timeField,
    }),
    initial: [
      { id: policy(1), name: "Office", source_cidr: "203.0.113.0/24" },
      { id: policy(2), name: "Runners", source_cidr: "198.51.100.0/25" },
    ],
  },
  trunks: {
    seed: strict({
      id: idField,
      name: z.string(),
      outbound_auth: z.enum(["set", "cleared"]).default("set"),
      created_at: timeField,
    }),
    initial: [
      { id: trunk(1), name: "Carrier A" },
      { id: trunk(2), name: "Carrier B" },
      { id: trunk(3), name: "Carrier C", outbound_auth: "cleared" },
    ],
  },
  webhooks: {
    seed: strict({
      id: idField,
      url: z.url(),
      enabled: z.boolean().default(true),
      /** Such as "deleted": a deleted webhook stays listed, disabled. */
      disabled_reason: z.string().optional(),
      subscribed_events: z.array(z.string()).default([]),
      consecutive_failures: z.int().default(0),
      /** Hex SHA-256 of the signing secret; null before the first rotation. No answer has it. The secret itself is not stored. */
      signing_secret_sha256: z.string().nullable().default(null),
      created_at: timeField,
    }),
    initial: [
      {
        id: webhook(1),
        url: "https://crm.example.com/voice",
        subscribed_events: ["call.completed"],
        created_at: "2026-01-01T00:00:00.000Z",
      },
      {
        id: webhook(2),
        url: "https://billing.example.com/voice",
        subscribed_events: ["call.completed", "recording.ready"],
        created_at: "2026-02-01T00:00:00.000Z",
      },
      {
        id: webhook(3),
        url: "https://retired.example.com/voice",
        enabled: false,
        created_at: "2026-03-01T00:00:00.000Z",
      },
    ],
  },
} satisfies Record<string, Collection>;

export type CollectionName = keyof typeof collections;
export const collectionNames = Object.keys(collections) as CollectionName[];

/** An object, with the field names of the interface. */
export type ObjectOf<Name extends CollectionName> = Readonly<
  Omit<z.output<(typeof collections)[Name]["seed"]>, "created_at">
> & {
  readonly organization_id: string;
  /** ISO 8601 in UTC, by the control plane's clock. */
  readonly created_at: string;
  readonly updated_at: string;
};

/** All objects, by their ids. */
export type Objects = { readonly [Name in CollectionName]: Record<string, ObjectOf<Name>> };

/** All objects, with the field names of the interface. */
export type State = { readonly [Name in CollectionName]: readonly ObjectOf<Name>[] };

/** Objects to add, or to replace by their ids, and ids of objects to remove. `created_at` is now by default. */
export type SeedInput = {
  readonly [Name in CollectionName]?: readonly z.input<(typeof collections)[Name]["seed"]>[];
} & {
  /** Ids of objects to remove, after everything else. The id of a retention policy is its resource. */
  readonly remove?: readonly string[];
};

export const seedSchema = strict({
  ...Object.fromEntries(
    collectionNames.map((name) => [name, z.array<z.ZodObject>(collections[name].seed).default([])]),
  ),
  remove: z.array(idField).default([]),
});

/** The objects of a new control plane. */
export const initialSeed = Object.fromEntries(collectionNames.map((name) => [name, collections[name].initial]));
