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
import { heldBack } from "./held.js";
import { errorLines } from "./messages/errors.js";
import { violationLines } from "./messages/violations.js";
import { subjectsOf, unknownEventsText, warningLines } from "./messages/warnings.js";
import type { ProgramChange, Report } from "./report.js";
import { sendsRequest } from "./situations/planned.js";
import { situationsOf, type Situation } from "./situations/situations.js";
import { summaryOf } from "./summary.js";

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
  const { steps, phase } = run;
  const nameOf = namesOf(steps.flatMap(({ urn, before, after }) => [urn, (after ?? before)?.parent ?? ""]));
  const situations = await situationsOf(run, { nameOf, placeOf, memory });
  const losses = lossLines(situations);
  const complete = run.complete && losses.length === 0;
  const ofSteps = changesOf(steps, situations);
  const changes = [...ofSteps, ...staleOutputChanges(objects, ofSteps, situations, nameOf)];
  const others = otherChanges(steps);
  const otherResourceCount = others.flatMap(({ resources }) => resources).length;
  const requests = changes.flatMap((change) => change.requests);
  const { stack, project } = urnParts(steps[0]?.urn ?? "");
  const facts = {
    phase,
    complete,
    stack,
    project,
    addresses: addressesOf(situations),
    requestCount: requests.length,
    changeCount: changes.length + otherResourceCount,
    // The changes of outputs do not count: they were approved with the rotation, whose update stopped before it wrote them.
    editCount: ofSteps.filter(({ dueAlone }) => !dueAlone).length + otherResourceCount,
    risks: risksOf(changes),
  };
  const summary = summaryOf({
    ...facts,
    otherCount: changes.filter((change) => change.requests.length === 0).length + otherResourceCount,
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
      ...compact(memory.problem, unknownEventsText(run, complete)),
    ],
    violations: violationLines(run, nameOf, secrets),
    ...(uncertain && { uncertain: uncertain.map((line) => safeText(line)) }),
    ...(planned && !complete && heldBack(planned, run, situations, others)),
  };
}

/** Where the requests go: those of what is declared, and of what is removed. A destroy, which may send nothing, names its addresses too. */
function addressesOf(situations: readonly Situation[]): string[] {
  const isDestroy = situations.every(({ step }) => !step.after);
  const declared = situations.map(({ newAddress }) => newAddress);
  const removed = situations.filter(({ planned }) => isDestroy || sendsRequest(planned.delete));
  const addresses = compact(...declared, ...removed.map(({ presentAddress }) => presentAddress));
  return [...new Set(addresses.map((address) => safeText(address)))].sort();
}
