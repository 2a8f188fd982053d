/** A plan: what a preview has shown, so that an update can be held to it. It is the report as JSON. */
import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { parseJson } from "../../values/any.js";
import { fileText } from "../pulumi/files.js";
import { format } from "../report/formats.js";
import type { Report } from "../report/describe.js";

/** What is compared. A change may move to another line of the organization file, so its place is not among it. */
const planSchema = z.object({
  stack: z.string(),
  project: z.string(),
  addresses: z.array(z.string()),
  changes: z.array(
    z.object({
      op: z.string(),
      type: z.string(),
      name: z.string(),
      id: z.string(),
      organization: z.string(),
      text: z.string(),
      risks: z.array(z.string()),
      requests: z.number(),
      diff: z.array(z.string()),
    }),
  ),
  others: z.array(z.object({ type: z.string(), counts: z.record(z.string(), z.number()) })),
});
export type Plan = z.infer<typeof planSchema>;

const fileSchema = planSchema.extend({
  version: z.literal(1),
  kind: z.literal("preview"),
  complete: z.literal(true),
});

/**
 * Writes a file that only its user may read, because it names what the organization is about to have. A preview that failed is written too, so
 * that no earlier plan is left, and `readPlan` refuses it.
 */
export function writePlan(file: string, report: Report): void {
  const fd = openSync(file, "w", 0o600);
  try {
    // Opening a file that was there does not change its mode.
    if (fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
    writeFileSync(fd, format(report, "json"));
  } finally {
    closeSync(fd);
  }
}

/** @throws Error if the file is no plan, or one of a preview that failed */
export function readPlan(file: string): Plan {
  const parsed = fileSchema.safeParse(parseJson(fileText(file)));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} is not a plan: write one with \`voiceplane preview --out ${file}\``);
}

/** A line for each thing that the preview has and the plan lacks; empty if nothing else would be sent. */
export const beyondPlan = (plan: Plan, report: Report): string[] => lacking(plan, asPlan(report));

/** A line for each thing that a person has approved and is gone, or has not approved and is there now. */
export function differences(approved: Report, now: Report): string[] {
  const gone = lacking(asPlan(now), asPlan(approved)).map((line) => `no longer: ${line}`);
  return [...beyondPlan(asPlan(approved), now), ...gone];
}

const asPlan = (report: Report): Plan => planSchema.parse(parseJson(format(report, "json")));

function lacking(plan: Plan, now: Plan): string[] {
  return [
    ...(["project", "stack"] as const)
      .filter((key) => plan[key] !== now[key])
      .map((key) => `another ${key}: ${now[key]}`),
    ...beyond(plan.addresses, now.addresses).map((address) => `requests to ${address}`),
    ...beyond(plan.changes, now.changes).map(({ text }) => text),
    ...beyond(plan.others, now.others).map(({ type }) => type),
  ];
}

/** The items that are there more often than planned: two states of one resource may have the same change. */
function beyond<Item>(planned: readonly Item[], now: readonly Item[]): Item[] {
  const left = planned.map((item) => JSON.stringify(item));
  return now.filter((item) => {
    const place = left.indexOf(JSON.stringify(item));
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}
