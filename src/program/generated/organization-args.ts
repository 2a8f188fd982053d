// Written from src/resources and src/organization-file/schema.ts by `npm run schema`: change it there.
import type { Input } from "@pulumi/pulumi/output";
import type { NetworkPolicyFields, RetentionSetting, SettingOnCreate, ShorteningStep, Triggers } from "./types.js";

/**
 * A {@link RetentionPolicy} without its kind, which is the key, and with `days` for `retentionDays`.
 *
 * @category Organizations
 */
export interface OrganizationRetention {
  /**
   * How many days this kind of data is kept. Fewer days delete data for good, so the preview refuses them unless
   * `allowShortening` names the step. The first update may delete data too. Must be a whole number of days from 1 to
   * 3650.
   */
  days: Input<number>;
  /** Whether the policy is in force. Default: `true`. */
  enabled?: Input<boolean> | undefined;
  /**
   * What destroy sends. `"retain"`: nothing. `"disable"`: the same days with `enabled: false`. An object: its values;
   * fewer days need `allowShortening`. Default: `"retain"`. Must be "retain", "disable" or { days: 1 to 3650, enabled:
   * true or false }.
   */
  onDelete?: Input<"retain" | "disable" | OrganizationRetentionSetting | RetentionSetting> | undefined;
  /**
   * The only steps to fewer days that are allowed. Each deletes data for good. Default: none. Must be { from, to } in
   * days: exactly the step to allow, or a list of such steps.
   */
  allowShortening?: Input<ShorteningStep | Input<ShorteningStep>[]> | undefined;
  /**
   * What the first update sends. No default, so that a missing argument cannot replace what is in use. Required, unless
   * the organization has `onCreate`. Must be "overwrite" (the first update sends the setting, which replaces what the
   * server has) or "adopt" (it sends nothing, because the server has the declared values).
   */
  onCreate?: Input<SettingOnCreate> | undefined;
  /**
   * Sends the setting again at the first update after this time, and so replaces changes made elsewhere. Default:
   * never. Must be text such as "90d", from "1d" to "9999d".
   */
  reassertAfter?: Input<string> | undefined;
  /**
   * The former names of the entry, or the name of the resource that it was outside the organization. So it keeps its
   * state: nothing is sent, and no secret is lost. They may stay. Default: none. Must be a name, or a list of names.
   */
  formerly?: string | string[] | undefined;
}

/** The policy that destroy sets, with `days` for `retentionDays`. @category Organizations */
export interface OrganizationRetentionSetting {
  /**
   * How many days this kind of data is kept. Fewer days delete data permanently. Must be a whole number of days from 1
   * to 3650.
   */
  days: Input<number>;
  /** Whether the policy is in force. */
  enabled: Input<boolean>;
}

/** A {@link NetworkPolicy}, with `id` for `networkPolicyId`. @category Organizations */
export interface OrganizationNetworkPolicy {
  /**
   * The id of an existing policy, as the platform shows it. A change replaces the resource. Must be a string without
   * slashes or spaces around it, and not empty, "." or "..".
   */
  id: Input<string>;
  /**
   * The policy's name. Declare `name`, `sourceCidr` or both. Default: not managed. Must be a name that is not empty.
   */
  name?: Input<string> | undefined;
  /**
   * The policy's source range, IPv4 or IPv6. A range without the pipeline's own address may lock the pipeline out.
   * Default: not managed. Must be a network range such as "203.0.113.0/24" or "2001:db8::/48".
   */
  sourceCidr?: Input<string> | undefined;
  /**
   * Addresses that `sourceCidr` must contain, such as the pipeline's own. Default: none. Must be a list of addresses or
   * network ranges such as "203.0.113.7" or "2001:db8::/64".
   */
  mustInclude?: Input<Input<string>[]> | undefined;
  /**
   * Addresses that `sourceCidr` must not contain. Default: none. Must be a list of addresses or network ranges such as
   * "203.0.113.7" or "2001:db8::/64".
   */
  mustExclude?: Input<Input<string>[]> | undefined;
  /**
   * What destroy sends. `"retain"`: nothing. An object: its fields, for whose range `mustInclude` and `mustExclude`
   * count too. Default: `"retain"`. Must be "retain" or { name, sourceCidr } with at least one of the two, valid as in
   * the policy itself.
   */
  onDelete?: Input<"retain" | NetworkPolicyFields> | undefined;
  /**
   * What the first update sends. No default, so that a missing argument cannot replace what is in use. Required, unless
   * the organization has `onCreate`. Must be "overwrite" (the first update sends the setting, which replaces what the
   * server has) or "adopt" (it sends nothing, because the server has the declared values).
   */
  onCreate?: Input<SettingOnCreate> | undefined;
  /**
   * Sends the setting again at the first update after this time, and so replaces changes made elsewhere. Default:
   * never. Must be text such as "90d", from "1d" to "9999d".
   */
  reassertAfter?: Input<string> | undefined;
  /**
   * The former names of the entry, or the name of the resource that it was outside the organization. So it keeps its
   * state: nothing is sent, and no secret is lost. They may stay. Default: none. Must be a name, or a list of names.
   */
  formerly?: string | string[] | undefined;
}

/** A {@link TrunkOutboundAuth}, with `id` for `trunkId` and `outboundAuth` for `cleared`. @category Organizations */
export interface OrganizationTrunk {
  /**
   * The id of an existing trunk, as the platform shows it. A change replaces the resource. Must be a string without
   * slashes or spaces around it, and not empty, "." or "..".
   */
  id: Input<string>;
  /**
   * Whether the trunk has outbound authentication. Cleared credentials cannot be restored, and calls that need them
   * fail. Must be "cleared" (removes its credentials for good) or "tracked" (its credentials are set elsewhere).
   */
  outboundAuth: Input<"cleared" | "tracked">;
  /**
   * Values of your choice. With `cleared: true`, any change clears the credentials again. Default: none. Must be a map
   * of strings, whole numbers or booleans, such as { quarter: "2026-Q4" }.
   */
  triggers?: Input<Triggers> | undefined;
  /**
   * What destroy sends. `"retain"`: nothing. `"clear"`: clears the credentials, for good. Default: `"retain"`. Must be
   * "retain" or "clear".
   */
  onDelete?: Input<"retain" | "clear"> | undefined;
  /**
   * What the first update sends. Default: `"overwrite"`. Must be "overwrite" (the first update sends the setting, which
   * replaces what the server has) or "adopt" (it sends nothing, because the server has the declared values).
   */
  onCreate?: Input<SettingOnCreate> | undefined;
  /**
   * Sends the setting again at the first update after this time, and so replaces changes made elsewhere. Default:
   * never. Must be text such as "90d", from "1d" to "9999d".
   */
  reassertAfter?: Input<string> | undefined;
  /**
   * The former names of the entry, or the name of the resource that it was outside the organization. So it keeps its
   * state: nothing is sent, and no secret is lost. They may stay. Default: none. Must be a name, or a list of names.
   */
  formerly?: string | string[] | undefined;
}

/** A {@link WebhookSecret}, with `id` for `webhookId`. @category Organizations */
export interface OrganizationWebhook {
  /**
   * The id of an existing webhook, as the platform shows it. A change replaces the resource. Must be a string without
   * slashes or spaces around it, and not empty, "." or "..".
   */
  id: Input<string>;
  /**
   * What the first update does. `"rotate"`: it rotates the secret, and the old one may stop working at once. `"adopt"`:
   * nothing. No default, so that a missing argument cannot end a secret in use. Required, unless the organization has
   * `onCreate`. Must be "rotate" or "adopt".
   */
  onCreate?: Input<"rotate" | "adopt"> | undefined;
  /**
   * Values of your choice. Any change rotates the secret. Default: none. Must be a map of strings, whole numbers or
   * booleans, such as { quarter: "2026-Q4" }.
   */
  triggers?: Input<Triggers> | undefined;
  /**
   * Rotates the secret once per period, at the first update on or after the due date, which the preview shows as
   * `rotateOn`. Default: never. Must be text such as "90d", from "1d" to "9999d".
   */
  rotateAfter?: Input<string> | undefined;
  /**
   * The current secret, if you know it. With `onCreate: "adopt"` it is the output `secret` until the first rotation,
   * with `"rotate"` it becomes `previousSecret`. Default: not known. Must be a signing secret: ASCII characters without
   * white space.
   */
  initialSecret?: Input<string> | undefined;
  /**
   * Where the secret is in `data`. Default: `signing_secret`, `secret`, or `data` itself. If none was found, set it:
   * the next update reads the secret from there, without rotating. Must be a dotted path, such as
   * "webhook.signing_key".
   */
  secretPath?: Input<string> | undefined;
  /**
   * The former names of the entry, or the name of the resource that it was outside the organization. So it keeps its
   * state: nothing is sent, and no secret is lost. They may stay. Default: none. Must be a name, or a list of names.
   */
  formerly?: string | string[] | undefined;
}

/**
 * One organization's settings. Keys are names of your choice, except those of `retention`. A key is part of a
 * resource's name, so a new key is a rename. Settings that are left out are not managed.
 *
 * @category Organizations
 */
export interface OrganizationArgs {
  /**
   * What the first update does with entries that do not say it. `"adopt"`: it sends nothing, and rotates nothing. You
   * know what the server has, and the declared values become the state. `"overwrite"`: it sends the settings. Each
   * webhook says itself what it does. Default: each entry says it. Must be "overwrite" (the first update sends the
   * setting, which replaces what the server has) or "adopt" (it sends nothing, because the server has the declared
   * values).
   */
  onCreate?: SettingOnCreate | undefined;
  /**
   * How long each kind of data is kept. A kind that is left out is not managed. Must be a map from recordings,
   * conversations or audit_events to retention policies.
   */
  retention?:
    Partial<Record<"recordings" | "conversations" | "audit_events", OrganizationRetention | undefined>> | undefined;
  /**
   * The ranges that the organization admits. A renamed entry is another resource, unless it says `formerly`. Must be a
   * map from names (letters, digits, "-", "_", ".") to network policies.
   */
  networkPolicies?: Record<string, OrganizationNetworkPolicy> | undefined;
  /**
   * The outbound authentication of SIP trunks. A renamed entry is another resource, unless it says `formerly`. Must be
   * a map from names (letters, digits, "-", "_", ".") to trunks.
   */
  trunks?: Record<string, OrganizationTrunk> | undefined;
  /**
   * The signing secrets of webhooks. A renamed entry is another resource, unless it says `formerly`. Without that, a
   * renamed webhook is treated as its `onCreate` says. Must be a map from names (letters, digits, "-", "_", ".") to
   * webhooks.
   */
  webhooks?: Record<string, OrganizationWebhook> | undefined;
}
