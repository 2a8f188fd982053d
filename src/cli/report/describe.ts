/** The report: what each step does to the organization, with its risks. */
import type { PlaceOf } from "../../organization-file/places.js";
import { compact } from "../../values/any.js";
import { urnParts } from "../../values/engine.js";
import { safeText } from "../output.js";
import { namesOf } from "../pulumi/names.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";
import type { Memory } from "../state/memory.js";
import { changesOf, staleOutputChanges, type StatedObject } from "./changes/changes.js";
import { lossLines } from "./changes/losses.js";
import { isCustom, otherChanges } from "./changes/others.js";
import { risksOf } from "./changes/risks.js";
import { isStopped, notBegun } from "./held.js";
import { errorLines } from "./messages/errors.js";
import { violationLines } from "./messages/violations.js";
import { subjectsOf, warningLines } from "./messages/warnings.js";
import type { ProgramChange, Report } from "./report.js";
import { sendsRequest } from "./situations/planned.js";
import { situationsOf, type Situation } from "./situations/situations.js";
import { plural, summaryOf } from "./summary.js";

export interface DescribeOptions {
  /** Secrets that errors must not repeat, beside those that the engine knows and hides. */
  readonly secrets?: readonly string[];
  readonly placeOf?: PlaceOf;
  /** What was pending before the run. Default: nothing. */
  readonly memory?: Memory | undefined;
  readonly programChanges?: readonly ProgramChange[];
  readonly uncertain?: readonly string[] | undefined;
  /** The objects of the state before a preview. The update writes outputs that are stale. Default: none. */
  readonly objects?: readonly StatedObject[] | undefined;
  /** The report of the preview that the update carries out. */
  readonly planned?: Pick<Report, "changes" | "others"> | undefined;
}

/** The same run and options give the same report: no clock, no network. */
export async function describeRun(
  run: PreviewOrUpdate,
  {
    secrets = [],
    placeOf = () => undefined,
    memory = { isPending: () => false },
    programChanges = [],
    uncertain,
    objects = [],
    planned,
  }: DescribeOptions = {},
): Promise<Report> {
  const { steps, phase, unknownEvents = 0 } = run;
  const nameOf = namesOf(steps.flatMap(({ urn, before, after }) => [urn, (after ?? before)?.parent ?? ""]));
  const situations = await situationsOf(run, { nameOf, placeOf, memory });
  const losses = lossLines(situations);
  const ofSteps = changesOf(steps, situations);
  const changes = [...ofSteps, ...staleOutputChanges(objects, ofSteps, situations, nameOf)];
  const others = otherChanges(steps);
  const ofOthers = others.reduce((sum, { resources }) => sum + resources.length, 0);
  const requests = changes.flatMap((change) => change.requests);
  const { stack, project } = urnParts(steps[0]?.urn ?? "");
  const facts = {
    phase,
    complete: run.complete && losses.length === 0,
    stack,
    project,
    addresses: addressesOf(situations),
    requestCount: requests.length,
    changeCount: changes.length + ofOthers,
    // Outputs that are written late were approved with their rotation.
    editCount: ofSteps.filter(({ dueAlone }) => !dueAlone).length + ofOthers,
    risks: risksOf(changes),
  };
  const summary = summaryOf({
    ...facts,
    otherCount: changes.filter((change) => change.requests.length === 0).length + ofOthers,
    unfinishedCount: steps.filter((step) => step.unfinished && step.op !== undefined && isCustom(step)).length,
    isProgramChanged: programChanges.length > 0,
    uncertain,
  });
  return {
    summary,
    ...facts,
    changes,
    requests,
    others,
    programChanges: programChanges.map(({ file, change, keys }) => ({
      file: safeText(file),
      change,
      keys: keys.map((key) => safeText(key)),
    })),
    errors: [...losses, ...errorLines(run.errors, { steps, nameOf, placeOf }, secrets)],
    warnings: [
      ...warningLines(run, subjectsOf(situations), secrets),
      ...compact(memory.problem, unknownEvents > 0 && unknownText(unknownEvents, run.complete)),
    ],
    violations: violationLines(run, nameOf, secrets),
    ...(uncertain && { uncertain: uncertain.map((line) => safeText(line)) }),
    ...(planned &&
      !run.complete && {
        notBegun: notBegun(planned, run),
        // A resource of another package may have changed if its step has begun.
        isStopped: others.length === 0 && isStopped(run, situations),
      }),
  };
}

const unknownText = (count: number, complete: boolean): string =>
  `the update has ${complete ? "ended well" : "failed"}, and ${plural(count, "of its events is", "of its events are")} not known to this version of voiceplane: ` +
  "this report may lack changes";

/** Where the requests go: those of what is declared, and of what is removed. A destroy, which may send nothing, names its addresses too. */
function addressesOf(situations: readonly Situation[]): string[] {
  const isDestroy = situations.every(({ step }) => !step.after);
  const addresses = situations.flatMap(({ step, newAddress, presentAddress, planned }) => {
    const isRemoved = isDestroy || sendsRequest(planned.delete);
    return [step.after && newAddress, isRemoved && presentAddress].filter((address) => typeof address === "string");
  });
  return [...new Set(addresses.map((address) => safeText(address)))].sort();
}
