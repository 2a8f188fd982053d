import { retentionResources, type RetentionResource } from "../../contract.js";
import type { State } from "../control.js";
import type { RetentionPolicyRecord } from "../records.js";
import { html, type Html } from "./html.js";
import { count, grouped } from "./words.js";

export const kindNames: Record<RetentionResource, string> = {
  recordings: "Recordings",
  conversations: "Conversations",
  audit_events: "Audit events",
};

/** Axes in days, the shortest first; the last one holds all that the interface allows. No more labels than fit a phone. */
const axes = [
  [0, 10, 20, 30],
  [0, 30, 60, 90],
  [0, 90, 180, 270, 365],
  [0, 365, 730],
  [0, 1095, 2190],
  [0, 1825, 3650],
] as const;

/** The table of retention policies: bars on one scale, the shortest that holds them all. */
export function retentionTable({ retentionPolicies }: State): Html {
  const axis = axisFor(retentionPolicies.map(({ retention_days }) => retention_days));
  const rows = retentionResources.map((kind) =>
    row(
      kind,
      retentionPolicies.find(({ resource }) => resource === kind),
      axis,
    ),
  );
  return html`<table aria-labelledby="retention-title">
    <thead>
      <tr>
        <th scope="col">Days kept</th>
        <th scope="col"><span class="unseen">As a bar from 0 to ${count(lastOf(axis), "day")}</span>${scale(axis)}</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

export function retentionCount({ retentionPolicies }: State): Html {
  return html`${retentionPolicies.length} of ${retentionResources.length} set`;
}

function axisFor(days: readonly number[]): readonly number[] {
  const longest = Math.max(0, ...days);
  return axes.find((axis) => lastOf(axis) >= longest) ?? axes[axes.length - 1] ?? [];
}

function lastOf(axis: readonly number[]): number {
  return axis.at(-1) ?? 0;
}

function row(kind: RetentionResource, policy: RetentionPolicyRecord | undefined, axis: readonly number[]): Html {
  return html`<tr>
    <th scope="row">${kindNames[kind]}<span class="value">${policy === undefined ? "not set" : kept(policy)}</span></th>
    <td>${bar(policy, axis)}</td>
  </tr>`;
}

function kept({ retention_days, enabled }: RetentionPolicyRecord): string {
  return `${count(retention_days, "day")}${enabled ? "" : ", disabled"}`;
}

/** Lengths are attributes: the page's policy allows no styles in its markup. */
function bar(policy: RetentionPolicyRecord | undefined, axis: readonly number[]): Html {
  const lines = axis.map((days) => html`<line x1="${share(days, axis)}" x2="${share(days, axis)}" y1="0" y2="100%" />`);
  return html`<svg class="bar" aria-hidden="true" focusable="false">
    ${lines}
    ${
      policy === undefined
        ? undefined
        : html`<rect
            class="${policy.enabled ? "enabled" : "disabled"}"
            width="${share(policy.retention_days, axis)}"
            y="25%"
            height="50%"
            rx="2"
          />`
    }
  </svg>`;
}

function scale(axis: readonly number[]): Html {
  const labels = axis.map((days, index) => {
    const anchor = index === 0 ? "start" : index === axis.length - 1 ? "end" : "middle";
    return html`<text x="${share(days, axis)}" y="12" text-anchor="${anchor}">${grouped(days)}</text>`;
  });
  return html`<svg class="scale" aria-hidden="true" focusable="false">${labels}</svg>`;
}

function share(days: number, axis: readonly number[]): string {
  return `${Number(((days / lastOf(axis)) * 100).toFixed(2))}%`;
}

export function retentionNote({ entitlements, retentionPlan }: State["organization"]): Html {
  const sentences = [
    retentionPlan.maxDays === null ? [] : `The plan keeps data for at most ${count(retentionPlan.maxDays, "day")}.`,
    retentionPlan.available ? [] : "The plan service is away: changes answer 503.",
    entitlements.retentionPolicies ? [] : "The organization lacks the entitlement: changes answer 403.",
  ];
  return html`${sentences.flat().join(" ")}`;
}
