/**
 * The texts for people about each resource. The classes, schema.json, the pages of docs/reference are written from
 * them, and from the texts of the properties in src/resources. Texts are Markdown.
 */
import type { ResourceType } from "../../src/resources/index.js";

export interface ResourceTexts {
  /** The resource's section of the reference. */
  readonly category: string;
  readonly summary: string;
  /** The request that each verb sends, and when it sends none. */
  readonly verbs: Readonly<Record<"create" | "update" | "read" | "delete", string>>;
  readonly errors: string;
}

export const resourceTexts: Readonly<Record<ResourceType, ResourceTexts>> = {
  RetentionPolicy: {
    category: "Retention",
    summary: "How long the organization keeps one kind of data.",
    verbs: {
      create:
        "`PUT /v1/retention-policies/{resource}`. It replaces the previous setting, which cannot be read, so the first PUT may " +
        'delete data. Nothing with `onCreate: "adopt"`.',
      update:
        "the same PUT, if `retentionDays` or `enabled` changed, `reassertAfter` is due, or the last request may have been carried out. Other changes " +
        "send nothing.",
      read: "nothing, because the interface cannot read the setting.",
      delete:
        'nothing for `onDelete: "retain"`, the default; the PUT with `enabled: false` for `"disable"`; the PUT with the given values ' +
        "otherwise.",
    },
    errors:
      "402 or 403 if the token has no retention permissions, the organization has no entitlement for retention policies, or its " +
      "plan allows fewer days.",
  },
  NetworkPolicy: {
    category: "Network policies",
    summary: "The name and source range of an existing network policy.",
    verbs: {
      create:
        '`PATCH /v1/network-policies/{network_policy_id}` with every declared field. Nothing with `onCreate: "adopt"`.',
      update:
        "the same PATCH, if a declared field changed, `reassertAfter` is due, or the last request may have been carried out. A field that is no " +
        "longer declared is no longer managed. Other changes send nothing.",
      read: "nothing, because the interface cannot read the policy.",
      delete: 'nothing for `onDelete: "retain"`, the default; the PATCH with the given fields otherwise.',
    },
    errors:
      "403 if the token has no networking permissions, the organization has no entitlement for private networking, or its network " +
      "policy does not admit this machine. A 500 may mean an unknown id, or hide a change, so the state keeps the " +
      "resource as incomplete, and the next update sends again: correct the id, or remove the resource.",
  },
  TrunkOutboundAuth: {
    category: "Trunks",
    summary:
      "Clears the outbound authentication of a SIP trunk. The interface cannot set it: cleared credentials cannot be restored here.",
    verbs: {
      create:
        '`DELETE /v1/trunks/{trunk_id}/outbound-auth` for `cleared: true`, otherwise nothing. Nothing with `onCreate: "adopt"`.',
      update:
        "the same DELETE, if `cleared` becomes true, or with `cleared: true` if `triggers` changed, `reassertAfter` is due, or the " +
        "last answer was lost. A change from true to false sends nothing, because credentials cannot be restored.",
      read: "nothing, because the interface cannot read the trunk.",
      delete: 'nothing for `onDelete: "retain"`, the default; the DELETE for `"clear"`. A 404 is then a success.',
    },
    errors: "403 if the token lacks the scope `trunks:write`; 404 for a trunk that does not exist.",
  },
  WebhookSecret: {
    category: "Webhooks",
    summary:
      "Rotates a webhook's signing secret, only when the program asks for it. The old secret may stop working at once: " +
      "give both `secret` and `previousSecret` to the receiver.",
    verbs: {
      create: '`POST /v1/webhooks/{webhook_id}/rotate-secret`; nothing with `onCreate: "adopt"`.',
      update:
        "the same POST, if `triggers` changed, `rotateAfter` is due, or the last rotation may have been carried out. Nothing else " +
        "rotates. A rotation is not " +
        'retried if its answer is lost: the output `rotationState` becomes `"uncertain"`, and the next update rotates again.',
      read: "`GET /v1/webhooks/`, once a run, also for an import. A webhook that is not in the list stays in the state, with a warning.",
      delete: "nothing. The webhook keeps its secret.",
    },
    errors:
      "403 if the token lacks the scope `webhooks:write`; 404 for a webhook that does not exist. After a 5xx, a timeout or a " +
      "broken connection the rotation is uncertain. The preview refuses a move to another organization, because it would rotate.",
  },
};
