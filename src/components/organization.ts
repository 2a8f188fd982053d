import { output, secret, type Input, type Output } from "@pulumi/pulumi/output";
import { ComponentResource, type ComponentResourceOptions, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { NetworkPolicy, type NetworkPolicyArgs } from "./network-policy.js";
import { RetentionPolicy, type RetentionPolicyArgs } from "./retention-policy.js";
import { TrunkOutboundAuth, type TrunkOutboundAuthArgs } from "./trunk-outbound-auth.js";
import { WebhookSecret, type WebhookSecretArgs } from "./webhook-secret.js";
import type { RetentionResource } from "../interface.js";

/** A {@link RetentionPolicy} without its kind, which is the key. */
export type OrganizationRetention = Omit<RetentionPolicyArgs, "resource" | "retentionDays"> & {
  /** retentionDays of the policy. */
  days: Input<number>;
};

/** A {@link NetworkPolicy}; `id` is its networkPolicyId. */
export type OrganizationNetworkPolicy = Omit<NetworkPolicyArgs, "networkPolicyId"> & { id: Input<string> };

/** A {@link TrunkOutboundAuth}; `id` is its trunkId. */
export type OrganizationTrunk = Omit<TrunkOutboundAuthArgs, "trunkId" | "cleared"> & {
  id: Input<string>;
  /** "cleared": `cleared: true`. "tracked": `cleared: false`. */
  outboundAuth: Input<"cleared" | "tracked">;
};

/** A {@link WebhookSecret}; `id` is its webhookId. */
export type OrganizationWebhook = Omit<WebhookSecretArgs, "webhookId"> & { id: Input<string> };

/** One organization's settings. Keys are names of the user's choice, save those of `retention`. */
export interface OrganizationArgs {
  retention?: Partial<Record<RetentionResource, OrganizationRetention | undefined>> | undefined;
  networkPolicies?: Record<string, OrganizationNetworkPolicy> | undefined;
  trunks?: Record<string, OrganizationTrunk> | undefined;
  webhooks?: Record<string, OrganizationWebhook> | undefined;
}

/**
 * The whole configuration of one organization as one argument: a component with one resource for each entry, named
 * `<name>-<key>`. For another organization than the stack's own, pass `{ providers: [provider] }`.
 */
export class Organization extends ComponentResource {
  readonly retention: Partial<Record<RetentionResource, RetentionPolicy>>;
  readonly networkPolicies: Record<string, NetworkPolicy>;
  readonly trunks: Record<string, TrunkOutboundAuth>;
  readonly webhooks: Record<string, WebhookSecret>;
  /** The signing secret of each webhook, by key. Secret. */
  readonly webhookSecrets: Output<Record<string, string | undefined>>;

  constructor(name: string, args: OrganizationArgs, opts?: ComponentResourceOptions) {
    super("voiceplane:index:Organization", name, {}, opts);
    const child: CustomResourceOptions = { parent: this };

    this.retention = each(
      args.retention,
      (key, { days, ...rest }) =>
        new RetentionPolicy(`${name}-${key}`, { resource: key, retentionDays: days, ...rest }, child),
    );
    this.networkPolicies = each(
      args.networkPolicies,
      (key, { id, ...rest }) => new NetworkPolicy(`${name}-${key}`, { networkPolicyId: id, ...rest }, child),
    );
    this.trunks = each(
      args.trunks,
      (key, { id, outboundAuth, ...rest }) =>
        new TrunkOutboundAuth(`${name}-${key}`, { trunkId: id, cleared: isCleared(outboundAuth), ...rest }, child),
    );
    this.webhooks = each(
      args.webhooks,
      (key, { id, ...rest }) => new WebhookSecret(`${name}-${key}`, { webhookId: id, ...rest }, child),
    );
    this.webhookSecrets = secret(
      output(Object.fromEntries(Object.entries(this.webhooks).map(([key, webhook]) => [key, webhook.secret]))),
    );
    this.registerOutputs({});
  }
}

function each<Key extends string, Args, Made>(
  entries: Partial<Record<Key, Args | undefined>> | undefined,
  make: (key: Key, args: Args) => Made,
): Record<Key, Made> {
  const given = Object.entries(entries ?? {}) as [Key, Args | undefined][];
  return Object.fromEntries(
    given.flatMap(([key, args]) => (args === undefined ? [] : [[key, make(key, args)]])),
  ) as Record<Key, Made>;
}

/** Anything else, from a program without types, becomes undefined, which the resource refuses. */
const cleared = { cleared: true, tracked: false };

function isCleared(outboundAuth: Input<"cleared" | "tracked">): Input<boolean> {
  return output(outboundAuth).apply((wish) => cleared[wish]);
}
