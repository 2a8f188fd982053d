/** The kinds of objects of the double. A new one is a file and a line here. */
import type { Kind, RecordOf } from "./kind.js";
import { networkPolicies } from "./network-policies.js";
import { retentionPolicies } from "./retention-policies.js";
import { trunks } from "./trunks.js";
import { webhooks } from "./webhooks.js";

export const kinds = { retentionPolicies, networkPolicies, trunks, webhooks };
export type KindName = keyof typeof kinds;

/** The kinds as a list, for code that treats all alike. */
export const kindList = Object.entries(kinds) as unknown as readonly (readonly [KindName, Kind])[];

type RecordOfKind<K> = K extends Kind<infer Seed, infer Own> ? RecordOf<Seed, Own> : never;

/** All objects, with the field names of the interface. */
export type State = { readonly [Name in KindName]: readonly RecordOfKind<(typeof kinds)[Name]>[] };
