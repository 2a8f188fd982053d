// Written from src/organization-file/schema.ts by `npm run schema`: change it there.
import type { Input } from "@pulumi/pulumi/output";
import type { NetworkPolicyFields, RetentionSetting, ShorteningStep, Triggers } from "./types.js";

/** The policy that destroy sets, with `days` for `retentionDays`. @category Organizations */
export interface OrganizationRetentionSetting {
  /**
   * How long this kind of data is kept. Fewer days delete data for good. Has to be a whole number of days from 1 to
   * 3650.
   */
  days: Input<number>;
  /** Whether the policy is in force. Required. */
  enabled: Input<boolean>;
}

/**
 * A {@link RetentionPolicy} without its kind, which is the key, and with `days` for `retentionDays`.
 *
 * @category Organizations
 */
export interface OrganizationRetention {
  /**
   * How long this kind of data is kept. Risk: fewer days than before delete data for good, and are refused at preview
   * unless `allowShortening` names the step. The first update may delete data too: it replaces a setting that nobody
   * can look up. Has to be a whole number of days from 1 to 3650.
   */
  days: Input<number>;
  /** Whether the policy is in force. Default: `true`. Risk: what happens to the data without it is up to the server. */
  enabled?: Input<boolean> | undefined;
  /**
   * What happens when the policy is removed or the stack destroyed. `"retain"`: nothing is sent, the policy stays as
   * last set. `"disable"`: the same days with `enabled: false`. A setting: sets that, with the same rule for fewer
   * days. Default: `"retain"`. Risk: fewer days delete data for good. Has to be "retain", "disable" or { days: 1 to
   * 3650, enabled: true or false }.
   */
  onDelete?: Input<"retain" | "disable" | OrganizationRetentionSetting | RetentionSetting> | undefined;
  /**
   * Allows days to become fewer by exactly this step, and no other. Default: none. Risk: the step deletes data for
   * good. Has to be { from, to } in days: exactly the step to allow, or a list of such steps.
   */
  allowShortening?: Input<ShorteningStep | Input<ShorteningStep>[]> | undefined;
  /**
   * Sends the setting again at the first update after each such time, which undoes what was changed elsewhere. Default:
   * never. Risk: it replaces a setting that nobody can look up. Has to be a number of whole days from "1d" to "9999d",
   * such as "90d".
   */
  reassertAfter?: Input<string> | undefined;
  /**
   * Whether a pipeline may send what `reassertAfter` makes due without a person's approval; otherwise `voiceplane
   * report` calls it a risk. Default: `false`.
   */
  reassertUnattended?: Input<boolean> | undefined;
}

/** A {@link NetworkPolicy}, with `id` for `networkPolicyId`. @category Organizations */
export interface OrganizationNetworkPolicy {
  /**
   * The policy's id, as the platform shows it. It has to exist. Another id is another policy. Has to be the object's
   * id: a string without slashes or spaces around it, and not empty, "." or "..".
   */
  id: Input<string>;
  /**
   * The policy's name. At least one of `name` and `sourceCidr` is required. Default: not managed. Has to be a name that
   * is not empty.
   */
  name?: Input<string> | undefined;
  /**
   * The range that the policy is about, IPv4 or IPv6. Host bits and other spellings of the same range make no
   * difference. At least one of `name` and `sourceCidr` is required. Default: not managed. Risk: a range without the
   * pipeline's own address may lock it out. Has to be a network range such as "203.0.113.0/24" or "2001:db8::/48".
   */
  sourceCidr?: Input<string> | undefined;
  /**
   * What `sourceCidr` has to contain, such as the pipeline's own address; otherwise it is refused at preview. Default:
   * none. Has to be a list of addresses or network ranges such as "203.0.113.7" or "2001:db8::/64".
   */
  mustInclude?: Input<Input<string>[]> | undefined;
  /**
   * What `sourceCidr` must not reach; otherwise it is refused at preview. Default: none. Has to be a list of addresses
   * or network ranges such as "203.0.113.7" or "2001:db8::/64".
   */
  mustExclude?: Input<Input<string>[]> | undefined;
  /**
   * What happens when the policy is removed or the stack destroyed. `"retain"`: nothing is sent, the policy stays as
   * last set. Fields: sets those. Default: `"retain"`. Risk: another range may lock the pipeline out. Has to be
   * "retain" or { name, sourceCidr } with at least one of the two, valid as in the policy itself.
   */
  onDelete?: Input<"retain" | NetworkPolicyFields> | undefined;
  /**
   * Sends the setting again at the first update after each such time, which undoes what was changed elsewhere. Default:
   * never. Risk: it replaces a setting that nobody can look up. Has to be a number of whole days from "1d" to "9999d",
   * such as "90d".
   */
  reassertAfter?: Input<string> | undefined;
  /**
   * Whether a pipeline may send what `reassertAfter` makes due without a person's approval; otherwise `voiceplane
   * report` calls it a risk. Default: `false`.
   */
  reassertUnattended?: Input<boolean> | undefined;
}

/** A {@link TrunkOutboundAuth}, with `id` for `trunkId` and `outboundAuth` for `cleared`. @category Organizations */
export interface OrganizationTrunk {
  /**
   * The trunk's id, as the platform shows it. Another id is another trunk. Has to be the object's id: a string without
   * slashes or spaces around it, and not empty, "." or "..".
   */
  id: Input<string>;
  /**
   * Whether the trunk has outbound authentication. Required. Risk: clearing it cannot be undone here, and calls that
   * need it fail. Has to be "cleared" (the trunk has no outbound authentication) or "tracked" (its credentials are set
   * elsewhere).
   */
  outboundAuth: Input<"cleared" | "tracked">;
  /**
   * Values of your choice: where the authentication is cleared, any change clears it once more. Default: none. Has to
   * be a map of strings, numbers or booleans, such as { quarter: "2026-Q4" }.
   */
  triggers?: Input<Triggers> | undefined;
  /**
   * What happens when the trunk is removed or the stack destroyed. `"retain"`: nothing is sent. `"clear"`: clears the
   * authentication; a trunk that is gone is fine. Default: `"retain"`. Risk: `"clear"` removes the trunk's credentials.
   * Has to be "retain" or "clear".
   */
  onDelete?: Input<"retain" | "clear"> | undefined;
  /**
   * Sends the setting again at the first update after each such time, which undoes what was changed elsewhere. Default:
   * never. Risk: it replaces a setting that nobody can look up. Has to be a number of whole days from "1d" to "9999d",
   * such as "90d".
   */
  reassertAfter?: Input<string> | undefined;
  /**
   * Whether a pipeline may send what `reassertAfter` makes due without a person's approval; otherwise `voiceplane
   * report` calls it a risk. Default: `false`.
   */
  reassertUnattended?: Input<boolean> | undefined;
}

/** A {@link WebhookSecret}, with `id` for `webhookId`. @category Organizations */
export interface OrganizationWebhook {
  /**
   * The webhook's id, as the platform shows it. Another id is another webhook, whose secret is rotated as well. Has to
   * be the object's id: a string without slashes or spaces around it, and not empty, "." or "..".
   */
  id: Input<string>;
  /**
   * Values of your choice: any change rotates the signing secret, in place; the preview shows the change. Default:
   * none. Risk: the old secret may stop working at once. Has to be a map of strings, numbers or booleans, such as {
   * quarter: "2026-Q4" }.
   */
  triggers?: Input<Triggers> | undefined;
  /**
   * Rotates the signing secret at the first update after each such time since the last rotation; the preview shows the
   * date as `rotateOn`. Default: never. Risk: the old secret may stop working at once. Has to be a number of whole days
   * from "1d" to "9999d", such as "90d".
   */
  rotateAfter?: Input<string> | undefined;
  /**
   * Whether the first update rotates the signing secret; `false` takes the webhook over as it is. Default: `true`,
   * because only a rotation shows the secret. Required with an initial secret.
   */
  rotateOnCreate?: Input<boolean> | undefined;
  /**
   * Where the new secret is in the data of the server's answer. Default: the usual places, such as `signing_secret` or
   * `secret`. Set later, it takes the secret from an answer in which none was found, without rotating. Has to be where
   * the secret is in the answer's data: keys joined by dots, such as "webhook.signing_key".
   */
  secretPath?: Input<string> | undefined;
  /**
   * A secret that is known already. With `rotateOnCreate: false` it is `secret` until the first rotation, with `true`
   * it becomes `previousSecret`. Removed later, it stays `secret`. Default: not known. Has to be the webhook's signing
   * secret as it is known now, a string that is not empty.
   */
  initialSecret?: Input<string> | undefined;
}

/**
 * One organization's settings. Keys are names of your choice, except those of `retention`. A key is part of a
 * resource's name, so a new key is a rename. What is left out is not managed.
 *
 * @category Organizations
 */
export interface OrganizationArgs {
  /**
   * How long each kind of data is kept. A kind that is left out is not managed. Has to be a map from recordings,
   * conversations or audit_events to a policy.
   */
  retention?:
    Partial<Record<"recordings" | "conversations" | "audit_events", OrganizationRetention | undefined>> | undefined;
  /**
   * The ranges that the organization admits. Another name for an entry is another resource. Has to be a map from names
   * (letters, digits, "-", "_", ".") to network policies.
   */
  networkPolicies?: Record<string, OrganizationNetworkPolicy> | undefined;
  /**
   * The outbound authentication of SIP trunks. Another name for an entry is another resource. Has to be a map from
   * names (letters, digits, "-", "_", ".") to trunks.
   */
  trunks?: Record<string, OrganizationTrunk> | undefined;
  /**
   * The signing secrets of webhooks. Another name for an entry is another resource. Risk: a renamed webhook is rotated.
   * Has to be a map from names (letters, digits, "-", "_", ".") to webhooks.
   */
  webhooks?: Record<string, OrganizationWebhook> | undefined;
}
