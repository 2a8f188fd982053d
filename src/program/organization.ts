import { RunError } from "@pulumi/pulumi/errors";
import { Output, output, secret, type Input } from "@pulumi/pulumi/output";
import { ComponentResource, type ComponentResourceOptions, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { printable } from "../client/printable.js";
import { isCleared, sections, withRetentionDays } from "../organization-file/entries.js";
import { NetworkPolicy } from "./network-policy.js";
import type { OrganizationArgs, OrganizationRetention, OrganizationTrunk } from "./organization-args.js";
import { requireProvidersOf } from "./register.js";
import { RetentionPolicy, type RetentionPolicyArgs } from "./retention-policy.js";
import { TrunkOutboundAuth } from "./trunk-outbound-auth.js";
import type { RetentionResource } from "./types.js";
import { WebhookSecret } from "./webhook-secret.js";

/**
 * The whole configuration of one organization as one argument: a component with one resource for each entry, named
 * `<name>-<key>`. For another organization than the stack's own, pass `{ providers: [provider] }`.
 *
 * The resources say what is sent and which errors may follow: {@link RetentionPolicy}, {@link NetworkPolicy},
 * {@link TrunkOutboundAuth}, {@link WebhookSecret}.
 *
 * @example
 *
 * ```ts
 * import { Organization } from "pulumi-voiceplane";
 *
 * const acme = new Organization("acme", {
 *   retention: { recordings: { days: 90 } },
 *   trunks: { "carrier-a": { id: "b0000000-0000-4000-8000-000000000001", outboundAuth: "cleared" } },
 *   webhooks: { crm: { id: "c0000000-0000-4000-8000-000000000001", rotateAfter: "90d" } },
 * });
 * export const secrets = acme.webhookSecrets;
 * ```
 *
 * @category Organizations
 */
export class Organization extends ComponentResource {
  /** @internal */
  static readonly classes = { RetentionPolicy, NetworkPolicy, TrunkOutboundAuth, WebhookSecret };
  /** The retention policies by kind. */
  readonly retention: Partial<Record<RetentionResource, RetentionPolicy>>;
  /** The network policies by key. */
  readonly networkPolicies: Record<string, NetworkPolicy>;
  /** The trunks by key. */
  readonly trunks: Record<string, TrunkOutboundAuth>;
  /** The webhooks' secrets, as resources, by key. */
  readonly webhooks: Record<string, WebhookSecret>;
  /** The signing secret of each webhook, by key. Secret. */
  readonly webhookSecrets: Output<Record<string, string | undefined>>;
  /** The previous secret of each webhook, by key; undefined where there was none. Secret. */
  readonly previousWebhookSecrets: Output<Record<string, string | undefined>>;

  /**
   * Declares the component and its resources; the update sends.
   *
   * @param name The component's name in the stack, with which the names of its resources begin.
   * @param args What to declare.
   * @param opts The engine's options. `providers`: another organization, see {@link Provider}.
   * @throws RunError without type checking: for an `outboundAuth` that is neither of the two, or for a property that the component sets.
   */
  constructor(name: string, args: OrganizationArgs, opts?: ComponentResourceOptions) {
    requireProvidersOf(new.target.classes.RetentionPolicy.door, opts);
    super("voiceplane:index:Organization", name, {}, opts);
    requireOwnProperties(name, args);
    requireOutboundAuth(name, args.trunks);
    const child: CustomResourceOptions = { parent: this };
    const { classes } = new.target;

    this.retention = mapEntries(args.retention, (key, { days, onDelete, ...rest }) => {
      const policy = { ...rest, resource: key, retentionDays: days, onDelete: policyOnDelete(onDelete) };
      return new classes.RetentionPolicy(`${name}-${key}`, policy, child);
    });
    this.networkPolicies = mapEntries(
      args.networkPolicies,
      (key, { id, ...rest }) => new classes.NetworkPolicy(`${name}-${key}`, { ...rest, networkPolicyId: id }, child),
    );
    this.trunks = mapEntries(args.trunks, (key, { id, outboundAuth, ...rest }) => {
      // Any other text becomes undefined, which the resource refuses.
      const cleared = output(outboundAuth).apply((text) => isCleared[text]);
      return new classes.TrunkOutboundAuth(`${name}-${key}`, { ...rest, trunkId: id, cleared }, child);
    });
    this.webhooks = mapEntries(
      args.webhooks,
      (key, { id, ...rest }) => new classes.WebhookSecret(`${name}-${key}`, { ...rest, webhookId: id }, child),
    );
    this.webhookSecrets = secretsOf(this.webhooks, "secret");
    this.previousWebhookSecrets = secretsOf(this.webhooks, "previousSecret");
    this.registerOutputs({});
  }
}

type Secrets = Output<Record<string, string | undefined>>;

function secretsOf(webhooks: Record<string, WebhookSecret>, which: "secret" | "previousSecret"): Secrets {
  return secret(output(mapEntries(webhooks, (_key, webhook) => webhook[which])));
}

function mapEntries<Key extends string, Args, Made>(
  entries: Partial<Record<Key, Args | undefined>> | undefined,
  make: (key: Key, args: Args) => Made,
): Record<Key, Made> {
  const all = Object.entries(entries ?? {}) as [Key, Args | undefined][];
  const made = all.flatMap(([key, args]) => (args === undefined ? [] : [[key, make(key, args)]]));
  return Object.fromEntries(made) as Record<Key, Made>;
}

/** A plain value stays plain: RetentionPolicy sets `retainOnDelete` by it. */
function policyOnDelete(onDelete: OrganizationRetention["onDelete"]): RetentionPolicyArgs["onDelete"] {
  const policy: unknown = isDeferred(onDelete)
    ? output(onDelete as Input<object>).apply(withRetentionDays)
    : withRetentionDays(onDelete);
  return policy as RetentionPolicyArgs["onDelete"];
}

function isDeferred(value: unknown): boolean {
  return Output.isInstance(value) || value instanceof Promise;
}

/** Checked here, because the resource's message would name `cleared`, which the user did not write. */
function requireOutboundAuth(name: string, trunks: OrganizationArgs["trunks"] = {}): void {
  for (const [key, trunk] of Object.entries<OrganizationTrunk | undefined>(trunks)) {
    if (!trunk) continue;
    const { outboundAuth } = trunk;
    if (isDeferred(outboundAuth) || Object.hasOwn(isCleared, outboundAuth as string)) continue;
    throw new RunError(printable(`Organization "${name}": trunks.${key}.outboundAuth: must be "cleared" or "tracked"`));
  }
}

/** The properties that the component sets in a section, and what to write instead. */
function setHere(section: keyof OrganizationArgs): [property: string, instead: string][] {
  const { names, ...of } = sections[section];
  const renamed = Object.entries(names).map(([name, property]): [string, string] => [property, name]);
  return "key" in of ? [[of.key, "the key"], ...renamed] : renamed;
}

/** Without type checking, a program may write them, and they would be ignored or override the entry's. */
function requireOwnProperties(name: string, args: OrganizationArgs): void {
  const problems = (Object.keys(sections) as (keyof OrganizationArgs)[]).flatMap((section) =>
    Object.entries<object | undefined>(args[section] ?? {}).flatMap(([key, entry]) =>
      setHere(section).flatMap(([property, instead]) => {
        if (!Object.hasOwn(entry ?? {}, property)) return [];
        return [
          printable(`${section}.${key}.${property}: is not a property of an entry here; write ${instead} instead`),
        ];
      }),
    ),
  );
  if (problems.length > 0) throw new RunError(`Organization "${printable(name)}": ${problems.join("\n  ")}`);
}
