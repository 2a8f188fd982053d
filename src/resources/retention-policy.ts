/** RetentionPolicy: how long an organization keeps one kind of data. */
import { containsUnknown } from "../values.js";
import * as z from "zod";
import { ConfigError } from "../client/errors.js";
import { putRetentionPolicy } from "../client/operations.js";
import type { RetentionPolicyBody, RetentionResource } from "../contract/index.js";
import * as fields from "./fields.js";
import { documented, type ResourceDocs } from "./documentation.js";
import { identityOf, type Context, type Problem } from "./lifecycle.js";
import { setting, type SettingInputs, type SettingState } from "./setting.js";

export const retentionPolicyArgs = z.strictObject({
  resource: documented(fields.retentionResource, "The kind of data. Another kind is another object."),
  retentionDays: documented(
    fields.days,
    "How long this kind of data is kept. Risk: fewer days than before delete data for good, and are refused at preview unless " +
      "`allowShortening` names the step. The first update may delete data too: it replaces a setting that nobody can look up.",
  ),
  enabled: documented(
    fields.flag,
    "Whether the policy is in force. Default: `true`. Risk: what happens to the data without it is up to the server.",
    { fallback: true },
  ).optional(),
  onDelete: documented(
    fields.retentionOnDelete,
    'What happens when the policy is removed or the stack destroyed. `"retain"`: nothing is sent, the policy stays as last set. ' +
      '`"disable"`: the same days with `enabled: false`. A setting: sets that, with the same rule for fewer days. Default: ' +
      '`"retain"`. Risk: fewer days delete data for good.',
  ).optional(),
  allowShortening: documented(
    fields.allowShortening,
    "Allows days to become fewer by exactly this step, and no other. Default: none. Risk: the step deletes data for good.",
  ).optional(),
  ...fields.reassertion,
});
type Args = z.infer<typeof retentionPolicyArgs>;

export const retentionPolicyOutputs = z.object({
  resource: documented(fields.retentionResource, "The kind of data."),
  retentionDays: documented(fields.days, "Days, as last sent."),
  enabled: documented(fields.flag, "Whether the policy is in force, as last sent."),
  account: fields.account,
});

export const retentionPolicyDocs: ResourceDocs<Args> = {
  category: "Retention",
  summary: "How long the organization keeps one kind of data.",
  verbs: {
    create:
      "`PUT /v1/retention-policies/{resource}`. It replaces the previous setting, which cannot be looked up: the first PUT may " +
      "itself delete data.",
    update:
      "the same PUT, where `retentionDays` or `enabled` changed, a `reassertAfter` is due, or the last answer was lost. Any " +
      "other change sends nothing.",
    read: "nothing; the interface has no way to ask.",
    delete:
      'nothing for `onDelete: "retain"`, the default; the PUT with `enabled: false` for `"disable"`; the PUT with its values ' +
      "otherwise.",
  },
  errors:
    "402 or 403 where the token has no retention permissions or the organization not the entitlement, or its plan allows fewer " +
    "days.",
  example: {
    name: "recordings",
    args: { resource: "recordings", retentionDays: 90, allowShortening: { from: 365, to: 90 }, onDelete: "disable" },
    comments: { allowShortening: "recordings older than 90 days go for good" },
  },
};

export type RetentionPolicyInputs = SettingInputs<Args>;
export type RetentionPolicyState = SettingState<Args, "resource" | "retentionDays" | "enabled">;

export const retentionPolicy = setting<Args, "resource", "retentionDays" | "enabled">({
  type: "RetentionPolicy",
  identity: "resource",
  args: retentionPolicyArgs,
  properties: ["retentionDays", "enabled"],

  normalize: (args) => ({ ...args, enabled: args.enabled ?? true }),

  problems({ ctx, olds, inputs, isValid }) {
    // The message would ask to allow a step to or from an invalid number of days.
    if (!isValid) return [];
    // Also for another account: both names may stand for one organization, and a move must not shorten silently.
    const before = olds.resource === inputs.resource ? (olds.retentionDays ?? 0) : 0;
    const shorter = shortening(Math.max(before, notedDays(ctx, inputs)), inputs.resource, inputs);
    const takenOver = olds.resource === inputs.resource ? [] : takenOverShorter(ctx, olds);
    noteDays(ctx, olds);
    noteDeclared(ctx, inputs);
    return [...shorter, ...takenOver];
  },

  remember: noteDays,

  beforeCreate(ctx, inputs) {
    // Another policy of this program may have had this kind, and its days may have been noted after this policy's check.
    const [problem] = shortening(notedDays(ctx, inputs), inputs.resource, inputs);
    if (!problem) return;
    throw new ConfigError([`${identityOf(retentionPolicy, inputs)}: ${problem.property}: ${problem.reason}`]);
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

// Two policies may swap their kinds. Only the check of the policy that had a kind knows its old days, so it notes them.

type Kept = Partial<Pick<RetentionPolicyState, "resource" | "retentionDays" | "account">>;

/** With the account: another organization at the same address may keep the same kind for another time. */
function kindOf({ resource, account }: Kept): string {
  return `${String(resource)} of ${String(account)}`;
}

/** Notes the previous days of a kind. */
function noteDays(ctx: Context, values: Kept): void {
  if (values.retentionDays !== undefined) ctx.run.note(`${values.retentionDays} days: ${kindOf(values)}`);
}

/** Notes the declared days of a kind, and the steps that are allowed. */
function noteDeclared(ctx: Context, { retentionDays, allowShortening = [], ...values }: RetentionPolicyInputs): void {
  ctx.run.note(`declared ${JSON.stringify([retentionDays, [allowShortening].flat()])}: ${kindOf(values)}`);
}

/** The most previous days that this run has noted for a kind; 0 if none. */
function notedDays(ctx: Context, inputs: RetentionPolicyInputs): number {
  return Math.max(0, ...notesOf(ctx, /^(\d+) days: (.*)$/, kindOf(inputs)).map(Number));
}

/** The problem of a policy whose kind another policy, checked earlier, takes over with fewer days. */
function takenOverShorter(ctx: Context, olds: Kept): Problem[] {
  const { resource, retentionDays: before } = olds;
  if (resource === undefined) return [];
  const problems = notesOf(ctx, /^declared (\S+): (.*)$/, kindOf(olds)).flatMap((declared) => {
    const [retentionDays, allowShortening] = JSON.parse(declared) as [number, Args["allowShortening"]];
    return shortening(before, resource, { retentionDays, allowShortening });
  });
  return problems.slice(0, 1).map(({ reason }) => ({
    property: "resource",
    reason: `another policy takes ${resource} over, and its retentionDays: ${reason} there`,
  }));
}

/** The first group of each note whose second group is the kind. */
function notesOf(ctx: Context, pattern: RegExp, kind: string): string[] {
  return [...ctx.run.notes().providers].flatMap((note) => {
    const [, value = "", of] = pattern.exec(note) ?? [];
    return of === kind ? [value] : [];
  });
}

/** Fewer days delete data for good, so each such step has to be allowed by its exact days. */
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
      `If that is meant, add allowShortening: { from: ${from}, to: ${to} }`;
    return [{ property, reason }];
  });
}
