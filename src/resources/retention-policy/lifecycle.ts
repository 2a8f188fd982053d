/** RetentionPolicy: how long an organization keeps one kind of data. */
import { isObject, textOf } from "../../values/any.js";
import { containsUnknown } from "../../values/engine.js";
import { ConfigError } from "../../client/errors.js";
import { putRetentionPolicy } from "../../client/operations.js";
import { type RetentionPolicyBody, type RetentionResource } from "../../contract/index.js";
import { retentionPolicyArgs, type RetentionPolicyArgs as Args } from "./arguments.js";
import { allowsOtherSteps, includesStep, keepsDays, retentionRisks, settingOnDelete, stepsIn } from "./effects.js";
import { guardsOf } from "../../lifecycle/effects/guards.js";
import { objectText, objectKey, type OrganizationScoped } from "../../lifecycle/object.js";
import type { Context } from "../../lifecycle/context.js";
import { problem, sentenceOf, type Diagnostic } from "../../values/diagnostic.js";
import { setting } from "../../lifecycle/setting.js";

export const retentionPolicyLifecycle = setting<Args, "resource", "retentionDays" | "enabled">({
  type: "RetentionPolicy",
  identity: "resource",
  operation: "putRetentionPolicy",
  args: retentionPolicyArgs,
  properties: ["retentionDays", "enabled"],

  normalize: (args) => ({ ...args, enabled: args.enabled ?? true }),

  problems({ ctx, olds, inputs, isValid }) {
    // With an invalid number of days, the message would ask to allow a step that is invalid too.
    if (!isValid) return [];
    const { resource } = inputs;
    if (olds.resource !== undefined && olds.resource !== resource && !containsUnknown(resource))
      return [problem("kind-changed", otherKind(olds.resource, resource), ["resource"])];
    // The old days count for another organization too: both names may mean one organization, and a move must not shorten silently.
    return shortening(Math.max(olds.retentionDays ?? 0, notedDays(ctx, inputs)), resource, inputs);
  },

  remember: noteDays,

  beforeCreate(ctx, inputs) {
    // With deleteBeforeReplace, the state of the old policy may be known only since this policy's check.
    const [found] = shortening(notedDays(ctx, inputs), inputs.resource, inputs);
    if (!found) return;
    throw new ConfigError({
      ...found,
      text: `${objectText(retentionPolicyLifecycle, inputs)}: ${sentenceOf(found)}`,
      path: [],
    });
  },

  does: "sets",
  bodyProperties: ["retentionDays", "enabled"],
  valuesOnDelete: (state) => ({ ...settingOnDelete({ retentionDays: state.retentionDays, onDelete: state.onDelete }) }),
  requestRisks: retentionRisks,
  guards: guardsOf({ allowShortening: allowsOtherSteps }, keepsDays),
  sent: ({ retentionDays, enabled }) => `${textOf(retentionDays)} days${enabled === false ? ", disabled" : ""}`,

  send: ({ api }, inputs) => putRetentionPolicy(api, inputs.resource, retentionPolicyBody(inputs)),

  async sendOnDelete({ api }, state) {
    await putRetentionPolicy(api, state.resource, retentionPolicyBody(settingOnDelete(state)));
  },
});

function retentionPolicyBody({
  retentionDays,
  enabled = true,
}: Pick<Args, "retentionDays" | "enabled">): RetentionPolicyBody {
  return { retention_days: retentionDays, enabled };
}

/** Only the resource of the other kind knows its days, and the engine may check that one after it has created this one. */
const otherKind = (before: RetentionResource, now: RetentionResource): string =>
  `this policy is for ${before} and cannot be for ${now}, because nothing here knows how long ${now} are kept: ` +
  `leave ${before} here, and declare ${now} in a resource of its own`;

type Policy = Partial<Pick<Args & OrganizationScoped, "resource" | "retentionDays" | "organization">>;

/** The key of the notes. It has no address: another organization at the same address may keep the same kind of data for a different time. */
const daysKey = ({ resource, organization }: Policy): string =>
  objectKey(retentionPolicyLifecycle.type, textOf(resource), textOf(organization));

function noteDays(ctx: Context, old: Policy): void {
  if (old.retentionDays !== undefined) ctx.run.note({ says: "days", key: daysKey(old), days: old.retentionDays });
}

/** The highest number of previous days that this run has noted for the object; 0 if none. */
function notedDays(ctx: Context, inputs: Policy): number {
  const noted = ctx.run.notes().providers.of("days", daysKey(inputs));
  return Math.max(0, ...noted.map(({ days }) => days));
}

/** The steps to fewer days that are not allowed: each deletes data for good, so it has to be allowed by its exact days. */
function shortening(
  before: number,
  resource: RetentionResource,
  { retentionDays, onDelete, allowShortening }: Pick<Args, "retentionDays" | "onDelete" | "allowShortening">,
): Diagnostic[] {
  const steps = [{ path: ["retentionDays"], from: before, to: retentionDays }];
  if (isObject(onDelete))
    steps.push({ path: ["onDelete", "retentionDays"], from: retentionDays, to: onDelete.retentionDays });
  // An unknown value may allow the step. The update checks again.
  if (containsUnknown(allowShortening)) return [];
  const allowed = stepsIn(allowShortening);
  return steps.flatMap(({ path, from, to }) => {
    if (typeof from !== "number" || typeof to !== "number" || to >= from) return [];
    if (includesStep(allowed, { from, to })) return [];
    const text =
      `${from} => ${to} deletes ${resource} older than ${to} days for good. ` +
      `If this is intended, add \`allowShortening: { from: ${from}, to: ${to} }\``;
    return [problem("retention-shortened", text, path)];
  });
}
