/** The objects in words, as the page shows them. */
import { kindList, type KindName, type ObjectOf, type State } from "./objects.js";

interface Row {
  readonly name: string;
  /** Empty where the name is the id. */
  readonly id: string;
  readonly value: string;
}

interface Words<Name extends KindName> {
  readonly title: string;
  readonly row: (object: ObjectOf<Name>) => Row;
}

const instant = (iso: string): string => iso.slice(0, 19).replace("T", " ");

const words: { readonly [Name in KindName]: Words<Name> } = {
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

/** The kinds in their order, each with its objects. */
export function listing(state: State): { readonly title: string; readonly rows: readonly Row[] }[] {
  return kindList.map(([kind]) => {
    const { title, row } = words[kind] as Words<KindName>;
    const objects = state[kind] as readonly ObjectOf<KindName>[];
    return { title, rows: objects.map((object) => row(object as never)) };
  });
}
