// Written from schema.json by `npm run schema`: change it there.
/** The values that are allowed. @category Common */
export const OrganizationTrunkOutboundAuth = {
  Cleared: "cleared",
  Tracked: "tracked",
} as const;
/** A value of {@link OrganizationTrunkOutboundAuth}. @category Common */
export type OrganizationTrunkOutboundAuth =
  (typeof OrganizationTrunkOutboundAuth)[keyof typeof OrganizationTrunkOutboundAuth];

/** A kind of data with a retention policy. @category Common */
export const RetentionResource = {
  Recordings: "recordings",
  Conversations: "conversations",
  Audit_events: "audit_events",
} as const;
/** A value of {@link RetentionResource}. @category Common */
export type RetentionResource = (typeof RetentionResource)[keyof typeof RetentionResource];

/** What the first update of a setting sends: the setting, or nothing. @category Common */
export const SettingOnCreate = {
  Overwrite: "overwrite",
  Adopt: "adopt",
} as const;
/** A value of {@link SettingOnCreate}. @category Common */
export type SettingOnCreate = (typeof SettingOnCreate)[keyof typeof SettingOnCreate];

/** The values that are allowed. @category Common */
export const TrunkOutboundAuthOnDelete = {
  Retain: "retain",
  Clear: "clear",
} as const;
/** A value of {@link TrunkOutboundAuthOnDelete}. @category Common */
export type TrunkOutboundAuthOnDelete = (typeof TrunkOutboundAuthOnDelete)[keyof typeof TrunkOutboundAuthOnDelete];

/** The values that are allowed. @category Common */
export const WebhookSecretOnCreate = {
  Rotate: "rotate",
  Adopt: "adopt",
} as const;
/** A value of {@link WebhookSecretOnCreate}. @category Common */
export type WebhookSecretOnCreate = (typeof WebhookSecretOnCreate)[keyof typeof WebhookSecretOnCreate];
