/** The objects. Each collection is a member of `collections`, from which the seed and the state follow. */
import { z } from "zod";
import { canonicalCidr } from "../contract/cidr.js";
import { retentionDaysLimits, retentionResources } from "../contract/index.js";

/** The control plane cannot start or store, or an input is invalid. The message is one line, and repeats no value of an input. */
export class ControlPlaneError extends Error {
  override readonly name = "ControlPlaneError";
}

/** A request that is refused before anything has changed. */
export class RefusedRequest extends Error {
  constructor(
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

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

/** UUIDs are case-insensitive. Other ids stay as they are. */
export const canonicalId = (text: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : text;

const idField = z.string().min(1).transform(canonicalId);
const cidrField = z.string().transform(canonicalCidr).pipe(z.string("must be a network range in CIDR notation"));

/** What a request may have as its body. */
export const bodies = {
  retentionPolicy: z.object({
    retention_days: z.int().min(retentionDaysLimits.min).max(retentionDaysLimits.max),
    enabled: z.boolean(),
  }),
  networkPolicy: z.object({ name: z.string().trim().min(1).max(128), source_cidr: cidrField }).partial(),
};

/** What a seed may give of an object. */
const collections = {
  retentionPolicies: z.strictObject({ resource: z.enum(retentionResources), ...bodies.retentionPolicy.shape }),
  networkPolicies: z.strictObject({ id: idField, name: z.string(), source_cidr: cidrField }),
  trunks: z.strictObject({
    id: idField,
    name: z.string(),
    outbound_auth: z.enum(["set", "cleared"]).default("set"),
  }),
  webhooks: z.strictObject({
    id: idField,
    url: z.url(),
    enabled: z.boolean().default(true),
    subscribed_events: z.array(z.string()).default([]),
    /** Hex SHA-256 of the signing secret; null before the first rotation. No answer has it. The secret itself is not stored. */
    signing_secret_sha256: z.string().nullable().default(null),
  }),
};

export type CollectionName = keyof typeof collections;
export const collectionNames = Object.keys(collections) as CollectionName[];

/** An object, with the field names of the interface. */
export type ObjectOf<Name extends CollectionName> = Readonly<z.output<(typeof collections)[Name]>> & {
  /** ISO 8601 in UTC, by the control plane's clock. */
  readonly updated_at: string;
};

/** All objects, by their ids. */
export type Objects = { readonly [Name in CollectionName]: Record<string, ObjectOf<Name>> };

/** All objects, with the field names of the interface. */
export type State = { readonly [Name in CollectionName]: readonly ObjectOf<Name>[] };

/** Objects to add, or to replace by their ids, and ids of objects to remove. */
export type SeedInput = {
  readonly [Name in CollectionName]?: readonly z.input<(typeof collections)[Name]>[];
} & {
  /** Ids of objects to remove, after everything else. The id of a retention policy is its resource. */
  readonly remove?: readonly string[];
};

export const seedSchema = z.strictObject({
  ...Object.fromEntries(collectionNames.map((name) => [name, z.array<z.ZodObject>(collections[name]).default([])])),
  remove: z.array(idField).default([]),
});

const ids = (letter: string) => (n: number) => `${letter}0000000-0000-4000-8000-00000000000${n}`;
const [policy, trunk, webhook] = [ids("a"), ids("b"), ids("c")];

/** The objects of a new control plane. Their ids never change, because examples use them. */
export const initialSeed: SeedInput = {
  networkPolicies: [
    { id: policy(1), name: "Office", source_cidr: "203.0.113.0/24" },
    { id: policy(2), name: "Runners", source_cidr: "198.51.100.0/25" },
  ],
  trunks: [
    { id: trunk(1), name: "Carrier A" },
    { id: trunk(2), name: "Carrier B" },
    { id: trunk(3), name: "Carrier C", outbound_auth: "cleared" },
  ],
  webhooks: [
    { id: webhook(1), url: "https://crm.example.com/voice", subscribed_events: ["call.completed"] },
    {
      id: webhook(2),
      url: "https://billing.example.com/voice",
      subscribed_events: ["call.completed", "recording.ready"],
    },
    { id: webhook(3), url: "https://retired.example.com/voice", enabled: false },
  ],
};
