/** RetentionPolicy: how long an organization keeps one kind of data. */
import { containsUnknown } from "../values/engine.js";
import * as z from "zod";
import { ConfigError } from "../client/errors.js";
import { putRetentionPolicy } from "../client/operations.js";
import type { RetentionPolicyBody, RetentionResource } from "../contract/index.js";
import * as fields from "./fields.js";
import { documented } from "./documentation.js";
import { identityOf, type Context, type Problem } from "./lifecycle.js";
import { setting, type SettingInputs, type SettingState } from "./setting.js";

export const retentionPolicyArgs = z.strictObject({
  resource: documented(fields.retentionResource, "The kind of data. A change replaces the resource."),
  retentionDays: documented(
    fields.days,
    "How many days this kind of data is kept. Fewer days delete data permanently, so the preview refuses them unless " +
      "`allowShortening` names the step. The first update may also delete data: it replaces a setting that cannot be read.",
  ),
  enabled: documented(
    fields.flag,
    "Whether the policy is in force. What happens to the data of a disabled policy depends on the server. Default: `true`.",
    { fallback: true },
  ).optional(),
  onDelete: documented(
    fields.retentionOnDelete,
    'What destroying the resource sends. `"retain"`: nothing, so the policy stays as it is. `"disable"`: the same days with ' +
      '`enabled: false`. An object: its values. Fewer days need `allowShortening` here too. Default: `"retain"`.',
  ).optional(),
  allowShortening: documented(
    fields.allowShortening,
    "The only steps to fewer days that are allowed. Each of them deletes data permanently. Default: none.",
  ).optional(),
  ...fields.sending,
});
type Args = z.infer<typeof retentionPolicyArgs>;

export const retentionPolicyOutputs = z.object({
  resource: documented(fields.retentionResource, "The kind of data."),
  retentionDays: documented(fields.days, "The days as last sent."),
  enabled: documented(fields.flag, "Whether the policy is in force, as last sent."),
  confirmed: fields.confirmed,
  requestId: fields.requestId,
  organization: fields.organization,
});

export type RetentionPolicyInputs = SettingInputs<Args>;
export type RetentionPolicyState = SettingState<Args, "resource" | "retentionDays" | "enabled">;

export const retentionPolicy = setting<Args, "resource", "retentionDays" | "enabled">({
  type: "RetentionPolicy",
  identity: "resource",
  args: retentionPolicyArgs,
  properties: ["retentionDays", "enabled"],

  normalize: (args) => ({ ...args, enabled: args.enabled ?? true }),

  problems({ ctx, olds, inputs, isValid }) {
    // Otherwise the message would ask to allow a step with an invalid number of days.
    if (!isValid) return [];
    // Also for another organization: both names may mean one organization, and a move must not shorten silently.
    const before = olds.resource === inputs.resource ? (olds.retentionDays ?? 0) : 0;
    const shorter = shortening(Math.max(before, notedDays(ctx, inputs)), inputs.resource, inputs);
    const takenOver = olds.resource === inputs.resource ? [] : takenOverShorter(ctx, olds);
    return [...shorter, ...takenOver];
  },

  notes: (olds, inputs) => [...daysNotes(olds), declaredNote(inputs, olds)],

  remember(ctx, state) {
    for (const note of daysNotes(state)) ctx.run.note(note);
  },

  beforeCreate(ctx, inputs) {
    // Another policy of the program may have had this kind of data, and its days may have been noted after this policy's check.
    const [problem] = shortening(notedDays(ctx, inputs), inputs.resource, inputs);
    if (!problem) return;
    throw new ConfigError([`${identityOf(retentionPolicy, inputs)}: ${problem.property}: ${problem.reason}`]);
  },

  risk(inputs, known) {
    if (!known) return "replaces a setting that is not known, which may delete data for good";
    const isOn = known.enabled === true && inputs.enabled === true;
    return isOn && inputs.retentionDays > known.retentionDays ? undefined : "may delete data for good";
  },

  send: ({ api }, inputs) => putRetentionPolicy(api, inputs.resource, bodyOf(inputs)),

  async undo({ api }, { resource, retentionDays, onDelete }) {
    const last = typeof onDelete === "object" ? onDelete : { retentionDays, enabled: false };
    await putRetentionPolicy(api, resource, bodyOf(last));
  },
});

function bodyOf({ retentionDays, enabled = true }: Pick<Args, "retentionDays" | "enabled">): RetentionPolicyBody {
  return { retention_days: retentionDays, enabled };
}

// Two policies may swap their kinds of data. Only the check of the policy that had a kind knows its old days, so it notes them.

type Previous = Partial<Pick<RetentionPolicyState, "resource" | "retentionDays" | "organization">>;

/** With the organization: another organization at the same address may keep the same kind of data for a different time. */
function objectOf({ resource, organization }: Previous): string {
  return `${String(resource)} of ${String(organization)}`;
}

const daysNotes = (values: Previous): string[] =>
  values.retentionDays === undefined ? [] : [`${values.retentionDays} days: ${objectOf(values)}`];

const declaredNote = (
  { retentionDays, allowShortening = [], ...values }: RetentionPolicyInputs,
  { resource }: Previous,
): string =>
  `declared ${JSON.stringify([retentionDays, [allowShortening].flat(), resource ?? ""])}: ${objectOf(values)}`;

/** The most previous days that this run has noted for the object; 0 if none. */
function notedDays(ctx: Context, inputs: RetentionPolicyInputs): number {
  return Math.max(0, ...notesOf(ctx, /^(\d+) days: (.*)$/, objectOf(inputs)).map(Number));
}

/** The problem if another policy, checked earlier, takes over this policy's kind of data with fewer days. */
function takenOverShorter(ctx: Context, olds: Previous): Problem[] {
  const { resource, retentionDays: before } = olds;
  if (resource === undefined) return [];
  const problems = notesOf(ctx, /^declared (\S+): (.*)$/, objectOf(olds)).flatMap((declared) => {
    const [retentionDays, allowShortening, was] = JSON.parse(declared) as [number, Args["allowShortening"], string];
    const policy = was === "" ? "a new policy" : `the policy that was for ${was}`;
    return shortening(before, resource, { retentionDays, allowShortening }).map(({ reason }) => ({
      property: "resource",
      reason: `${policy} now declares ${resource}: ${reason} there`,
    }));
  });
  return problems.slice(0, 1);
}

/** The first group of each note whose second group is the object. */
function notesOf(ctx: Context, pattern: RegExp, object: string): string[] {
  return [...ctx.run.notes().providers].flatMap((note) => {
    const [, value = "", of] = pattern.exec(note) ?? [];
    return of === object ? [value] : [];
  });
}

/** The steps to fewer days that are not allowed: each deletes data for good, so it has to be allowed by its exact days. */
export function shortening(
  before: number | undefined,
  resource: RetentionResource,
  { retentionDays, onDelete, allowShortening }: Pick<Args, "retentionDays" | "onDelete" | "allowShortening">,
): Problem[] {
  const steps = [{ property: "retentionDays", from: before, to: retentionDays }];
  const undone = onDelete ?? "retain";
  if (typeof undone === "object") {
    steps.push({ property: "onDelete.retentionDays", from: retentionDays, to: undone.retentionDays });
  }
  // An unknown value may allow the step. The update checks again.
  if (containsUnknown(allowShortening)) return [];
  const allowed = [allowShortening ?? []].flat();
  return steps.flatMap(({ property, from, to }) => {
    if (typeof from !== "number" || typeof to !== "number" || to >= from) return [];
    if (allowed.some((step) => step.from === from && step.to === to)) return [];
    const reason =
      `${from} => ${to} deletes ${resource} older than ${to} days for good. ` +
      `If this is intended, add allowShortening: { from: ${from}, to: ${to} }`;
    return [{ property, reason }];
  });
}
