/** The report: what each step does to the organization, with its risks. */
import { isDeepStrictEqual } from "node:util";
import { compact, type Values } from "../../values/any.js";
import { organizationType, urnParts } from "../../values/engine.js";
import { objectText } from "../../lifecycle/object.js";
import { organizationChanges } from "./organizations.js";
import { changeOf, outputsChange, type Change } from "./changes.js";
import { codeIn, errorLines, violationLines, warningLines } from "./errors.js";
import type { PlaceOf } from "../../organization-file/places.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";
import type { Step } from "../pulumi/steps.js";
import { isOwnProvider } from "./providers.js";
import { isStopped, notBegun } from "./held.js";
import { declarationOf, lifecycleOf } from "./resources.js";
import { droppedSecrets, refusedDeletes } from "./renames.js";
import type { OtherChange, OtherChanges, ProgramChange, Report } from "./report.js";
import { compareRisks, risksOf } from "./risks.js";
import { situationsOf, type Situation } from "./situations.js";
import { plural, summaryOf } from "./summary.js";
import { safeText } from "./text.js";
import { namesOf } from "../pulumi/names.js";
import type { Memory } from "../state/memory.js";
import type { ObjectState } from "../state/state.js";

export interface DescribeOptions {
  /** Secrets that errors must not repeat, beside those that the engine knows and hides. */
  readonly secrets?: readonly string[];
  readonly placeOf?: PlaceOf;
  /** What was pending before the run. Default: nothing. */
  readonly memory?: Memory | undefined;
  readonly programChanges?: readonly ProgramChange[];
  readonly uncertain?: readonly string[] | undefined;
  /** The objects of the state before a preview. The update writes outputs that are stale. Default: none. */
  readonly objects?: readonly Pick<ObjectState, "urn" | "type" | "id" | "organization" | "outputsStale">[] | undefined;
  /** The report of the preview that the update carries out. */
  readonly planned?: Pick<Report, "changes" | "others"> | undefined;
}

const maxRefusal = 1000;

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
  const refused = [...droppedSecrets(situations), ...refusedDeletes(situations)];
  const ofSteps = changesOf(steps, situations);
  const changed = new Set(ofSteps.map(({ urn }) => urn));
  const stale = objects.filter(({ urn, outputsStale }) => outputsStale && !changed.has(safeText(urn, Infinity)));
  const changes = [...ofSteps, ...stale.map((object) => outputsChange(object, nameOf(object.urn)))];
  const others = steps
    .filter((step) => isCustom(step) && !lifecycleOf(step.type) && !isOwnProvider(step))
    .flatMap((step) => otherChange(step) ?? []);
  const requests = changes.flatMap((change) => change.requests);
  const { stack, project } = urnParts(steps[0]?.urn ?? "");
  const facts = {
    phase,
    complete: run.complete && refused.length === 0,
    stack,
    project,
    addresses: addressesOf(situations),
    requestCount: requests.length,
    changeCount: changes.length + others.length,
    // Outputs that are written late were approved with their rotation.
    editCount: ofSteps.filter(({ dueAlone }) => !dueAlone).length + others.length,
    risks: risksOf(changes),
  };
  const summary = summaryOf({
    ...facts,
    otherCount: changes.filter((change) => change.requests.length === 0).length + others.length,
    unfinishedCount: steps.filter((step) => step.unfinished && step.op !== undefined && isCustom(step)).length,
    isProgramChanged: programChanges.length > 0,
    uncertain,
  });
  return {
    summary,
    ...facts,
    changes,
    requests,
    others: countedByType(others),
    programChanges: programChanges.map(({ file, change, keys }) => ({
      file: safeText(file),
      change,
      keys: keys.map((key) => safeText(key)),
    })),
    errors: [
      ...refused.map((line) => safeText(line, maxRefusal)),
      ...errorLines(
        run.errors,
        {
          nameOf,
          declarationOf: (urn) => declarationOfRefused(steps, urn),
          placeOf: (subject, edited) => placeOf({ ...subject, id: undefined, edited }),
        },
        secrets,
      ),
    ],
    warnings: [
      ...warningLines(warningsOf(run), subjectsOf(situations), secrets),
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

/** Finds the situation of the object that a provider's warning begins with. The step that declares it comes before one that has its old state. */
function subjectsOf(situations: readonly Situation[]): (text: string) => Situation | undefined {
  const named = (valuesOf: (step: Step) => Values | undefined) =>
    situations.flatMap((situation) => {
      const values = valuesOf(situation.step);
      return values ? [{ situation, object: `${objectText(situation.lifecycle, values)}: ` }] : [];
    });
  const subjects = [...named(({ after }) => after?.inputs), ...named(({ before }) => before?.outputs)];
  return (text) => subjects.find(({ object }) => text.startsWith(object))?.situation;
}

/** Without an update's warning that its date is set: `apply` sets it to that of the preview. If a user has set one, the preview has said so. */
const warningsOf = ({ phase, warnings }: PreviewOrUpdate): PreviewOrUpdate["warnings"] =>
  phase === "update" ? warnings.filter((warning) => codeIn(warning) !== "time-set") : warnings;

const unknownText = (count: number, complete: boolean): string =>
  `the update has ${complete ? "ended well" : "failed"}, and ${plural(count, "of its events is", "of its events are")} not known to this version of voiceplane: ` +
  "this report may lack changes";

/** What puts a whole organization at risk comes first, then the worst risks. The engine's order does not matter. */
function changesOf(steps: readonly Step[], situations: readonly Situation[]): Change[] {
  const ofObjects = situations.flatMap((situation) => changeOf(situation) ?? []);
  const changes = [...organizationChanges(steps, situations), ...ofObjects];
  const isWhole = ({ type, risks }: Change): number => Number(type === "Organization" && risks.length > 0);
  return withOrganizations(changes, situations).toSorted(
    (a, b) =>
      isWhole(b) - isWhole(a) ||
      compareRisks(a.risks, b.risks) ||
      b.requests.length - a.requests.length ||
      (`${a.text} ${a.id}` < `${b.text} ${b.id}` ? -1 : 1),
  );
}

/** The changes, each with its organization in its text if there are several. */
function withOrganizations(changes: readonly Change[], situations: readonly Situation[]): readonly Change[] {
  const states = situations.flatMap(({ step }) => [step.before, step.after]);
  if (new Set(states.flatMap((state) => state?.inputs.organization ?? [])).size < 2) return changes;
  return changes.map((change) =>
    change.type === "Organization" ? change : { ...change, text: `${change.organization}: ${change.text}` },
  );
}

/** A resource that was refused has no step, so its parent is not known: its Organization is found by its name. */
function declarationOfRefused(steps: readonly Step[], urn: string): ReturnType<typeof declarationOf> {
  const parents = urn.includes(`::${organizationType}$`) ? steps : [];
  return parents.map((step) => declarationOf(urn, step.urn)).find(({ key }) => key !== undefined) ?? declarationOf(urn);
}

const isCustom = ({ before, after }: Step): boolean => (after ?? before)?.custom === true;

/** Where the requests go. Those of a destroy go where the earlier ones went. */
function addressesOf(situations: readonly Situation[]): string[] {
  const isDestroy = situations.every(({ step }) => !step.after);
  const addresses = situations.flatMap(({ oldAddress, newAddress }) => (isDestroy ? oldAddress : newAddress) ?? []);
  return [...new Set(addresses.map((address) => safeText(address)))].sort();
}

function otherChange({ op, type, urn, before, after }: Step): (OtherChange & { readonly type: string }) | undefined {
  if (op === undefined) return undefined;
  const names = after ? differing(before?.inputs ?? {}, after.inputs) : [];
  const properties = names.map((name) => safeText(name));
  return { op, type: safeText(type), urn: safeText(urn, Infinity), properties };
}

function differing(before: Values, after: Values): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !name.startsWith("__") && !isDeepStrictEqual(before[name], after[name])).sort();
}

const countedByType = (others: readonly (OtherChange & { readonly type: string })[]): OtherChanges[] =>
  [...Map.groupBy(others, ({ type }) => type)]
    .map(([type, each]) => ({
      type,
      counts: Object.fromEntries([...Map.groupBy(each, ({ op }) => op)].map(([op, changes]) => [op, changes.length])),
      resources: each
        .map(({ urn, op, properties }) => ({ urn, op, properties }))
        .sort((a, b) => (a.urn < b.urn ? -1 : 1)),
    }))
    .sort((a, b) => (a.type < b.type ? -1 : 1));
