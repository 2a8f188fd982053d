/** RetentionPolicy: how long an organization keeps one kind of data. */
import { isObject, textOf } from "../../values/any.js";
import { containsUnknown } from "../../values/engine.js";
import { type RetentionPolicyBody, type RetentionResource } from "../../contract/index.js";
import { retentionPolicyArgs, type RetentionPolicyArgs as Args } from "./arguments.js";
import { allowsOtherSteps, includesStep, retentionRisks, settingOnDelete, stepsIn } from "./effects.js";
import { problem, type Diagnostic } from "../../values/diagnostic.js";
import { setting } from "../../lifecycle/setting.js";

export const retentionPolicyLifecycle = setting<Args, "resource", "retentionDays" | "enabled">({
  type: "RetentionPolicy",
  identity: "resource",
  operation: "putRetentionPolicy",
  args: retentionPolicyArgs,
  properties: ["retentionDays", "enabled"],

  normalize: (args) => ({ ...args, enabled: args.enabled ?? true }),

  problems({ olds, inputs, isValid }) {
    // With an invalid number of days, the message would ask to allow a step that is invalid too.
    if (!isValid) return [];
    const { resource } = inputs;
    if (olds.resource !== undefined && olds.resource !== resource && !containsUnknown(resource))
      return [problem("kind-changed", otherKind(olds.resource, resource), ["resource"])];
    return shortening(olds.retentionDays ?? 0, resource, inputs);
  },

  does: "sets",
  bodyProperties: ["retentionDays", "enabled"],
  valuesOnDelete: (state) => ({ ...settingOnDelete({ retentionDays: state.retentionDays, onDelete: state.onDelete }) }),
  requestRisks: retentionRisks,
  guards: { allowShortening: allowsOtherSteps },
  sent: ({ retentionDays, enabled }) => `${textOf(retentionDays)} days${enabled === false ? ", disabled" : ""}`,

  send: ({ api }, inputs) => api.send("putRetentionPolicy", { resource: inputs.resource }, retentionPolicyBody(inputs)),

  async sendOnDelete({ api }, state) {
    await api.send("putRetentionPolicy", { resource: state.resource }, retentionPolicyBody(settingOnDelete(state)));
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
