/**
 * What an `up` sends for the organization that organization.yaml and four examples declare. Each of them is complete,
 * so that a user can copy one folder. The tests compare them all with these requests, so they stay one organization.
 */
export const recordings = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
const auditEvents = 'PUT /v1/retention-policies/audit_events {"retention_days":2555,"enabled":true}';
export const office =
  'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"Office","source_cidr":"203.0.113.0/24"}';
export const carrierA = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth";
export const crm = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

export const exampleOrganization = [recordings, auditEvents, office, carrierA, crm];
