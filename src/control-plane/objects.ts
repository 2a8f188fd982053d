/** The objects. Each collection is a member of {@link collections}, from which the seed, the state, the admin and the page follow. */
import { z } from "zod";
import { canonicalCidr } from "../contract/cidr.js";
import { retentionDaysLimits, retentionResources } from "../contract/index.js";

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** UUIDs are case-insensitive. Other ids stay as they are. */
export const canonicalId = (text: string): string => (isUuid(text) ? text.toLowerCase() : text);

export const idField = z.string().min(1).transform(canonicalId);
const timeField = z.iso.datetime().optional();

/** There is one organization, whichever token is used. */
export const organizationId = "d0000000-0000-4000-8000-000000000001";

/** What every object has. */
interface CommonFields {
  readonly organization_id: string;
  /** ISO 8601 in UTC, by the control plane's clock. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** The fields of the bodies. The journal shows no others. */
export const bodies = {
  retentionPolicy: z.object({
    retention_days: z.int().min(retentionDaysLimits.min).max(retentionDaysLimits.max),
    enabled: z.boolean(),
  }),
  networkPolicy: z.object({ name: z.string().optional(), source_cidr: z.string().optional() }),
};

/** What a webhook has beside the fields of a seed. */
interface WebhookFields {
  readonly consecutive_failures: number;
  readonly disabled_at?: string;
  /** Hex SHA-256 of the signing secret; null before the first rotation. No answer has it. The secret itself is not stored. */
  readonly signing_secret_sha256: string | null;
}

interface Collection {
  /** The schema of an object in a seed. */
  readonly seed: z.ZodObject;
  /** The field with the id. */
  readonly key: string;
  /** The objects of a new control plane. Their ids never change, because examples use them. */
  readonly initial: readonly object[];
  /** The fields that a new object has beside those of its seed. */
  readonly own?: (seed: Record<string, unknown>, createdAt: string) => object;
}

export const collections = {
  retentionPolicies: {
    seed: z.strictObject({
      resource: z.enum(retentionResources),
      ...bodies.retentionPolicy.shape,
      created_at: timeField,
    }),
    key: "resource",
    initial: [],
  },
  networkPolicies: {
    seed: z.strictObject({
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
    key: "id",
    initial: [
      { id: "a0000000-0000-4000-8000-000000000001", name: "Office", source_cidr: "203.0.113.0/24" },
      { id: "a0000000-0000-4000-8000-000000000002", name: "Runners", source_cidr: "198.51.100.0/25" },
    ],
  },
  trunks: {
    seed: z.strictObject({
      id: idField,
      name: z.string(),
      outbound_auth: z.enum(["set", "cleared"]).default("set"),
      created_at: timeField,
    }),
    key: "id",
    initial: [
      { id: "b0000000-0000-4000-8000-000000000001", name: "Carrier A" },
      { id: "b0000000-0000-4000-8000-000000000002", name: "Carrier B" },
      { id: "b0000000-0000-4000-8000-000000000003", name: "Carrier C", outbound_auth: "cleared" },
    ],
  },
  webhooks: {
    seed: z.strictObject({
      id: idField,
      url: z.url(),
      enabled: z.boolean().default(true),
      /** Such as "deleted": a deleted webhook stays listed, disabled. */
      disabled_reason: z.string().optional(),
      subscribed_events: z.array(z.string()).default([]),
      created_at: timeField,
    }),
    key: "id",
    initial: [
      {
        id: "c0000000-0000-4000-8000-000000000001",
        url: "https://crm.example.com/voice",
        subscribed_events: ["call.completed"],
        created_at: "2026-01-01T00:00:00.000Z",
      },
      {
        id: "c0000000-0000-4000-8000-000000000002",
        url: "https://billing.example.com/voice",
        subscribed_events: ["call.completed", "recording.ready"],
        created_at: "2026-02-01T00:00:00.000Z",
      },
      {
        id: "c0000000-0000-4000-8000-000000000003",
        url: "https://retired.example.com/voice",
        enabled: false,
        created_at: "2026-03-01T00:00:00.000Z",
      },
    ],
    own: ({ enabled }, createdAt): WebhookFields => ({
      ...(enabled === false && { disabled_at: createdAt }),
      consecutive_failures: 0,
      signing_secret_sha256: null,
    }),
  },
} satisfies Record<string, Collection>;

export type CollectionName = keyof typeof collections;

/** The collections as a list, for code that treats all alike. */
export const collectionList: readonly (readonly [CollectionName, Collection])[] = Object.entries(collections) as [
  CollectionName,
  Collection,
][];

type OwnFields<K> = K extends { own: (...of: never[]) => infer Own } ? Own : unknown;

/** An object, with the field names of the interface. */
export type ObjectOf<Name extends CollectionName> = CommonFields &
  Readonly<Omit<z.output<(typeof collections)[Name]["seed"]>, "created_at">> &
  OwnFields<(typeof collections)[Name]>;

/** All objects, by their ids. */
export type Objects = { readonly [Name in CollectionName]: Record<string, ObjectOf<Name>> };

/** All objects, with the field names of the interface. */
export type State = { readonly [Name in CollectionName]: readonly ObjectOf<Name>[] };

/** An object in words, as the page shows it. */
interface Row {
  readonly name: string;
  /** Empty where the name is the id. */
  readonly id: string;
  readonly value: string;
}

interface CollectionWords<Name extends CollectionName> {
  readonly title: string;
  readonly row: (object: ObjectOf<Name>) => Row;
}

const instant = (iso: string): string => iso.slice(0, 19).replace("T", " ");

const words: { readonly [Name in CollectionName]: CollectionWords<Name> } = {
  retentionPolicies: {
    title: "Retention",
    row: ({ resource, retention_days, enabled }) => ({
      name: resource,
      id: "",
      value: `${retention_days} days${enabled ? "" : ", disabled"}`,
    }),
  },
  networkPolicies: {
    title: "Network policies",
    row: ({ id, name, action, source_cidr, status }) => ({ name, id, value: `${action} ${source_cidr} ${status}` }),
  },
  trunks: {
    title: "Trunks",
    row: ({ id, name, outbound_auth }) => ({ name, id, value: `outbound authentication ${outbound_auth}` }),
  },
  webhooks: {
    title: "Webhooks",
    row: ({ id, url, enabled, disabled_reason, signing_secret_sha256, updated_at }) => {
      const rotated = signing_secret_sha256 === null ? "not rotated yet" : `rotated ${instant(updated_at)}`;
      const reason = disabled_reason === undefined ? "" : `: ${disabled_reason}`;
      // A URL may have a password before its host, and a token in its query.
      const name = url.replaceAll(/[?#].*|(?<=\/\/)[^/]*@/g, "");
      return { name, id, value: enabled ? rotated : `${rotated}, disabled${reason}` };
    },
  },
};

/** The collections in their order, each with its objects. */
export function listing(state: State): { readonly title: string; readonly rows: readonly Row[] }[] {
  return collectionList.map(([name]) => {
    const { title, row } = words[name] as CollectionWords<CollectionName>;
    const objects = state[name] as readonly ObjectOf<CollectionName>[];
    return { title, rows: objects.map((object) => row(object as never)) };
  });
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

/** The parsed input. Throws one error with the place of every problem, and without values. */
export function parsed<T extends z.ZodType>(schema: T, input: unknown, Fail: new (text: string) => Error): z.output<T> {
  const { data, error } = schema.safeParse(input);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw new Fail(problems.join("; "));
}

/** Refuses an id that no object has. A deployed server calls an id malformed that is no UUID. A seed may have any id, as the interface allows it. */
export function refuseMissing(noun: string, id: string): never {
  if (!isUuid(id)) throw new RefusedRequest(`${noun}_id must be a UUID`);
  throw new RefusedRequest(`${noun} not found`, 404);
}
