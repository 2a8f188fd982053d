/** A plan: what a preview has shown, so that an update can be held to it. It is the report as JSON. */
import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { differingMembers, RequestList, type PlannedRequest } from "../../client/planned-request.js";
import { operations } from "../../contract/index.js";
import { planSchema } from "../../provider/plan.js";
import { parseJson } from "../../values/any.js";
import { fileText } from "../pulumi/files.js";
import { formatReport } from "../report/formats.js";
import type { Report } from "../report/report.js";

/**
 * What is compared beside the requests: what a change does without one, by its risks. Its words and its line of the organization file are not: both
 * may change while the same is sent.
 */
const comparedSchema = z.object({
  stack: z.string(),
  project: z.string(),
  addresses: z.array(z.string()),
  changes: z.array(
    z.object({
      urn: z.string(),
      name: z.string(),
      risks: z.array(z.string()),
      loosened: z.array(z.string()),
    }),
  ),
  others: z.array(
    z.object({
      type: z.string(),
      resources: z.array(z.object({ urn: z.string(), op: z.string(), properties: z.array(z.string()) })),
    }),
  ),
});

const contentSchema = comparedSchema.extend({ requests: planSchema.shape.requests });
export type Plan = z.infer<typeof contentSchema>;

const planFileSchema = planSchema.extend(comparedSchema.shape);

/**
 * Writes a file that only its user may read, because it names what the organization is about to have. A preview that failed is written too, so
 * that no earlier plan is left, and `readPlan` refuses it.
 */
export function writePlan(file: string, report: Report): void {
  writePrivate(file, formatReport(report, "json"));
}

/** Writes the list that a provider holds a run to. */
export function writeRequests(file: string, { requests }: Pick<Plan, "requests">): void {
  writePrivate(file, JSON.stringify({ version: 1, phase: "preview", complete: true, requests }));
}

function writePrivate(file: string, text: string): void {
  const fd = openSync(file, "w", 0o600);
  try {
    // Opening a file that was there does not change its mode.
    if (fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
    writeFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
}

/** @throws Error if the file is no plan, or one of a preview that failed */
export function readPlan(file: string): Plan {
  const parsed = planFileSchema.safeParse(parseJson(fileText(file)));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} is not a plan: write one with \`voiceplane preview --out ${file}\``);
}

export const planOf = (report: Report): Plan => contentSchema.parse(parseJson(formatReport(report, "json")));

/** A line for each thing that the preview `now` has and the plan lacks; empty if nothing else would be sent or weakened. */
export const beyondPlan = (plan: Plan, now: Plan): string[] => [
  ...(["project", "stack"] as const)
    .filter((key) => plan[key] !== now[key])
    .map((key) => `another ${key}: ${now[key]}`),
  ...now.addresses.filter((address) => !plan.addresses.includes(address)).map((address) => `requests to ${address}`),
  ...newRequests(plan, now),
  ...newRisks(plan, now),
  ...newOthers(plan, now),
];

/** A line for each thing that the plan has. */
export const linesOf = (plan: Plan): string[] => beyondPlan({ ...plan, requests: [], changes: [], others: [] }, plan);

/** A line for each thing that a person has approved and is gone, or has not approved and is there now. */
export function differences(approved: Plan, now: Plan): string[] {
  const list = new RequestList(now.requests);
  // A request that is still there, with other values, is a line of `beyondPlan`.
  const requests = approved.requests.filter((request) => list.near(request).length === 0);
  const gone = [...newRequests(now, { requests }), ...newRisks(now, approved), ...newOthers(now, approved)];
  return [...beyondPlan(approved, now), ...gone.map((line) => `no longer: ${line}`)];
}

function newRequests(plan: Pick<Plan, "requests">, now: Pick<Plan, "requests">): string[] {
  const list = new RequestList(plan.requests);
  return now.requests
    .filter((request) => !list.allows(request))
    .map((request) => {
      const { operation, path } = request;
      const text = [operations[operation].method, path, bodyText(request)].join(" ").trim();
      const [planned] = list.near(request);
      if (!planned) return text;
      const isSameBody = differingMembers(planned, request).length === 0;
      return isSameBody
        ? `${text} for ${targetText(request)}, instead of ${targetText(planned)}`
        : `${text}, instead of ${bodyText(planned)}`;
    });
}

/** Such as `{"retention_days":90,"enabled":true}`. */
function bodyText({ body, open = [] }: PlannedRequest): string {
  if (body === undefined) return "";
  const members = Object.entries(body).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...members, ...open.map((name) => `${JSON.stringify(name)}:any value`)].join(",")}}`;
}

const targetText = ({ organization = "any organization", address = "any address" }: PlannedRequest): string =>
  `${organization} at ${address}`;

function newRisks(plan: Plan, now: Plan): string[] {
  const keyOf = ({ urn, name }: Plan["changes"][number]) => (urn === "" ? `organization ${name}` : urn);
  const planned = Map.groupBy(plan.changes, keyOf);
  return now.changes.flatMap((change) => {
    const before = planned.get(keyOf(change)) ?? [];
    const risks = change.risks.filter((risk) => !before.some((each) => each.risks.includes(risk)));
    const loosened = change.loosened.filter((line) => !before.some((each) => each.loosened.includes(line)));
    const added = [...risks.map((risk) => risk.replaceAll("-", " ")), ...loosened];
    return added.length === 0 ? [] : [`${change.name}: ${added.join(", ")}`];
  });
}

/** A line for each change of another package. The same operation may change fewer properties than planned, because more is known by now. */
function newOthers(plan: Plan, now: Plan): string[] {
  const resourcesOf = ({ others }: Plan) => others.flatMap(({ resources }) => resources);
  const planned = new Map(resourcesOf(plan).map((each) => [`${each.op} ${each.urn}`, each]));
  return resourcesOf(now).flatMap(({ urn, op, properties }) => {
    const before = planned.get(`${op} ${urn}`);
    const more = properties.filter((name) => !before?.properties.includes(name));
    if (before && more.length === 0) return [];
    return [`${op} ${urn}${more.length === 0 ? "" : ` (${more.join(", ")})`}`];
  });
}
