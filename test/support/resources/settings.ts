/** The three kinds of settings with what they send: what is true of one of them is tested of all. */
import { networkPolicy } from "../../../src/resources/network-policy.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import type { Lifecycle, Values } from "../../../src/resources/lifecycle.js";
import { trunkOutboundAuth } from "../../../src/resources/trunk-outbound-auth.js";
import { ids } from "../world.js";

export interface Setting {
  readonly type: string;
  readonly lifecycle: Lifecycle;
  readonly id: string;
  readonly args: Values;
  /** What the state has of the arguments. */
  readonly state: Values;
  readonly request: string;
  /** Other arguments, which are sent. */
  readonly change: Values;
  readonly changed: string;
  /** Arguments with which a destroy sends something. */
  readonly undo: Values;
  readonly undone: string;
}

const put = "PUT /v1/retention-policies/recordings";
const patch = `PATCH /v1/network-policies/${ids.office}`;
const clear = `DELETE /v1/trunks/${ids.trunk}/outbound-auth`;

export const settings: readonly Setting[] = [
  {
    type: "RetentionPolicy",
    lifecycle: retentionPolicy,
    id: "recordings",
    args: { resource: "recordings", onCreate: "overwrite", retentionDays: 90 },
    state: { resource: "recordings", retentionDays: 90, enabled: true },
    request: `${put} {"retention_days":90,"enabled":true}`,
    change: { retentionDays: 120 },
    changed: `${put} {"retention_days":120,"enabled":true}`,
    undo: { onDelete: "disable" },
    undone: `${put} {"retention_days":90,"enabled":false}`,
  },
  {
    type: "NetworkPolicy",
    lifecycle: networkPolicy,
    id: ids.office,
    args: { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ", sourceCidr: "203.0.113.0/24" },
    state: { networkPolicyId: ids.office, name: "HQ", sourceCidr: "203.0.113.0/24" },
    request: `${patch} {"name":"HQ","source_cidr":"203.0.113.0/24"}`,
    change: { name: "Office" },
    changed: `${patch} {"name":"Office","source_cidr":"203.0.113.0/24"}`,
    undo: { onDelete: { name: "Free" } },
    undone: `${patch} {"name":"Free"}`,
  },
  {
    type: "TrunkOutboundAuth",
    lifecycle: trunkOutboundAuth,
    id: ids.trunk,
    args: { trunkId: ids.trunk, cleared: true },
    state: { trunkId: ids.trunk, cleared: true },
    request: clear,
    change: { triggers: { n: 1 } },
    changed: clear,
    undo: { onDelete: "clear" },
    undone: clear,
  },
];
