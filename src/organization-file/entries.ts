/** How the entries of an organization become resources. Programs load it, so it does not import the validation library. */
import { unknownValue } from "../values/engine.js";
import { formerlyKey, formerNames } from "./formerly.js";
import type { ResourceType } from "../resources/index.js";

export interface Section {
  readonly type: ResourceType;
  /** The resource's names of arguments that have other names in entries. */
  readonly names: Readonly<Record<string, string>>;
  /** The argument whose value is the entry's key. */
  readonly key?: string;
}

export const sections = {
  retention: { type: "RetentionPolicy", names: { days: "retentionDays" }, key: "resource" },
  networkPolicies: { type: "NetworkPolicy", names: { id: "networkPolicyId" } },
  trunks: { type: "TrunkOutboundAuth", names: { id: "trunkId", outboundAuth: "cleared" } },
  webhooks: { type: "WebhookSecret", names: { id: "webhookId" } },
} as const satisfies Record<string, Section>;

export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as SectionName[];

/**
 * Options that the resources of an Organization do not get, since each of them means the properties or the actions of one resource.
 *
 * @param given the names of the options that were given to it
 */
export function droppedOptions(name: string, given: readonly string[]): string | undefined {
  const single = [
    "ignoreChanges",
    "replaceOnChanges",
    "deleteBeforeReplace",
    "replaceWith",
    "replacementTrigger",
    "additionalSecretOutputs",
    "hooks",
  ];
  const dropped = single.filter((option) => given.includes(option)).join(", ");
  if (dropped === "") return undefined;
  return (
    `Organization "${name}": its resources do not get these options: ${dropped}. ` +
    "Declare the resource that needs them by itself, for example as a RetentionPolicy."
  );
}

/** The organization's outputs by name: each is a map of one output of the webhooks. */
export const webhookOutputs = { webhookSecrets: "secret", previousWebhookSecrets: "previousSecret" } as const;

/** `cleared` of a trunk, by the entry's `outboundAuth`. */
export const isCleared = { cleared: true, tracked: false } as const;

/** `onDelete` of a policy, by the entry's, which may have `days`. */
export function withRetentionDays(onDelete: unknown): unknown {
  if (typeof onDelete !== "object" || onDelete === null || !("days" in onDelete)) return onDelete;
  const { days, ...rest } = onDelete;
  return { ...rest, [sections.retention.names.days]: days };
}

export interface Child {
  readonly section: SectionName;
  readonly key: string;
  readonly type: ResourceType;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The names that the resource had as another entry. */
  readonly aliases: readonly string[];
}

/** How a program or the plugin reads values that may be secret or unknown. */
interface ValueReader {
  /** The members of a map; none if it is unknown. */
  members(map: unknown): [name: string, value: unknown][];
  /** Applies `change` to the value, now or once it is known. */
  map(value: unknown, change: (plain: unknown) => unknown): unknown;
}

/** The resources that a section of the organization `name` declares. An unknown entry declares none. */
export function childrenOf(
  section: SectionName,
  name: string,
  organization: Readonly<Partial<Record<SectionName | "onCreate", unknown>>>,
  reader: ValueReader,
): Child[] {
  const { type, key: keyArgument, ...of }: Section = sections[section];
  const names = new Map(Object.entries(of.names));
  const { onCreate } = organization;
  return reader.members(organization[section]).flatMap(([key, entry]) => {
    if (entry === undefined || entry === unknownValue) return [];
    const members = reader.members(entry);
    const former = members.flatMap(([property, value]) => (property === formerlyKey ? formerNames(value) : []));
    const args = members.flatMap(([property, value]): [string, unknown][] => {
      const change = changes.get(property);
      if (property === formerlyKey) return [];
      return [[names.get(property) ?? property, change ? reader.map(value, change) : value]];
    });
    if (keyArgument !== undefined) args.push([keyArgument, key]);
    // What overwrites settings must not rotate secrets.
    const isFor = onCreate === "adopt" || (onCreate !== undefined && type !== "WebhookSecret");
    if (isFor && !args.some(([property]) => property === "onCreate")) args.push(["onCreate", onCreate]);
    return [
      {
        section,
        key,
        type,
        name: `${name}-${key}`,
        args: Object.fromEntries(args),
        aliases: former.map((old) => `${name}-${String(old)}`),
      },
    ];
  });
}

/** Any other text for `outboundAuth` becomes undefined, which the resource refuses. */
const changes = new Map<string, (plain: unknown) => unknown>([
  ["outboundAuth", (text) => new Map<unknown, boolean>(Object.entries(isCleared)).get(text)],
  ["onDelete", withRetentionDays],
]);
