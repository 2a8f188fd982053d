/** The life of each setting, for the tests of what is true of every one. */
import type { Values } from "../../../src/values/any.js";
import { seeded } from "../ids.js";
import type { SettingType } from "./table.js";

const put = "PUT /v1/retention-policies/recordings";
const patch = `PATCH /v1/network-policies/${seeded.office}`;
const clear = `DELETE /v1/trunks/${seeded.carrierA}/outbound-auth`;

export interface Setting {
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
  /** What a lost answer may have done, at the end of the warning. */
  readonly loses: string;
}

export const settings: Record<SettingType, Setting> = {
  RetentionPolicy: {
    id: "recordings",
    args: { resource: "recordings", onCreate: "overwrite", retentionDays: 90 },
    state: { resource: "recordings", retentionDays: 90, enabled: true },
    request: `${put} {"retention_days":90,"enabled":true}`,
    change: { retentionDays: 120 },
    changed: `${put} {"retention_days":120,"enabled":true}`,
    undo: { onDelete: "disable" },
    undone: `${put} {"retention_days":90,"enabled":false}`,
    loses: "",
  },
  NetworkPolicy: {
    id: seeded.office,
    args: { networkPolicyId: seeded.office, onCreate: "overwrite", name: "HQ", sourceCidr: "203.0.113.7/24" },
    state: { networkPolicyId: seeded.office, name: "HQ", sourceCidr: "203.0.113.0/24" },
    request: `${patch} {"name":"HQ","source_cidr":"203.0.113.0/24"}`,
    change: { name: "Office" },
    changed: `${patch} {"name":"Office","source_cidr":"203.0.113.0/24"}`,
    undo: { onDelete: { name: "Free" } },
    undone: `${patch} {"name":"Free"}`,
    loses: "",
  },
  TrunkOutboundAuth: {
    id: seeded.carrierA,
    args: { trunkId: seeded.carrierA, cleared: true },
    state: { trunkId: seeded.carrierA, cleared: true },
    request: clear,
    change: { triggers: { n: 1 } },
    changed: clear,
    undo: { onDelete: "clear" },
    undone: clear,
    loses: ": its outbound credentials may be gone",
  },
};
