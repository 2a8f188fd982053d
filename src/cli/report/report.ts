/** The report: what each step does to the organization, with its risks. */
import type { PlannedRequest } from "../../client/planned-request.js";
import type { Risk } from "../../lifecycle/effects/risk.js";
import type { PlaceOf } from "../../organization-file/places.js";
import { compact } from "../../values/any.js";
import { urnParts } from "../../values/engine.js";
import { plural, safeName, safeText } from "../output.js";
import type { Preview } from "../pulumi/preview.js";
import { namesOf, type Op, type Step } from "../pulumi/steps.js";
import { conditionsIn, sentenceFor } from "../state/conditions.js";
import type { StackState } from "../state/state.js";
import { lineOf, sortedChanges, sortedRisks, withoutRequest, type Change } from "./lines.js";
import { errorLines, violationLines, warningLines } from "./messages.js";
import { organizationChanges } from "./organizations.js";
import { isOwnProvider } from "./providers.js";
import { refusalLines } from "./refusals.js";
import { lifecycleOf, situationsOf, type Situation } from "./situations.js";

/** A change of a resource of another package. */
interface OtherChange {
  readonly urn: string;
  readonly op: Op;
}

export interface Report {
  /** One line, such as "5 requests, 2 other changes: deletes data, cuts a trunk". */
  readonly summary: string;
  readonly phase: "preview";
  /** False if the preview failed, so that changes may be missing, or if the update would be refused. */
  readonly complete: boolean;
  /** Empty if the preview has no steps. */
  readonly stack: string;
  readonly project: string;
  /** Where requests go, as far as the steps show it. */
  readonly addresses: readonly string[];
  /** The requests that change something in an organization: all that an update may send. */
  readonly requests: readonly PlannedRequest[];
  readonly requestCount: number;
  /** How many changes there are, with those that send nothing and those of other packages. Components and the stack do not count. */
  readonly changeCount: number;
  /** How many of these changes somebody has made: without what is sent again because it is due or uncertain. */
  readonly editCount: number;
  /** All risks of all changes, each once, the worst first. */
  readonly risks: readonly Risk[];
  /** The worst risks first. */
  readonly changes: readonly Change[];
  readonly others: readonly OtherChange[];
  /** A line for each object and operation of the state whose outcome is not known. */
  readonly uncertain: readonly string[];
  /** Lines without secrets: why an update would be refused, and what the run has reported. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** One line for each mandatory policy and resource. */
  readonly violations: readonly string[];
}

export interface ReportOptions {
  /** Secrets that errors must not repeat, beside those that the engine knows and hides. */
  readonly secrets?: readonly string[];
  readonly placeOf?: PlaceOf;
  /** The state before the preview, if it can be read. */
  readonly state?: StackState | undefined;
  /** Whether it is the preview of a destroy, which writes no outputs. */
  readonly isDestroy?: boolean;
}

/** The same run and options give the same report: no clock, no network. */
export async function describe(
  run: Preview,
  { secrets = [], placeOf = () => undefined, state, isDestroy = false }: ReportOptions = {},
): Promise<Report> {
  const { steps } = run;
  const nameOf = namesOf(steps.flatMap(({ urn, before, after }) => [urn, (after ?? before)?.parent ?? ""]));
  const situations = await situationsOf(steps, { nameOf, placeOf });
  const refusals = refusalLines(situations);
  const complete = run.complete && refusals.length === 0;
  const ofSteps = [...organizationChanges(steps, situations), ...situations.flatMap((each) => lineOf(each) ?? [])];
  const stale = isDestroy || !state ? [] : staleOutputs(state, ofSteps, nameOf);
  const changes = withOrganizations(sortedChanges([...ofSteps, ...stale]), situations);
  const others = otherChanges(steps);
  const requests = changes.flatMap((change) => change.requests);
  const { stack, project } = urnParts(steps[0]?.urn ?? "");
  const uncertain = state ? conditionsIn(state).filter(({ name }) => name === "uncertain" || name === "pending") : [];
  const facts = {
    phase: "preview",
    complete,
    stack,
    project,
    addresses: addressesOf(situations),
    requestCount: requests.length,
    changeCount: changes.length + others.length,
    // The changes of outputs do not count: they were approved with the rotation, whose update stopped before it wrote them.
    editCount: ofSteps.filter(({ isAgain }) => !isAgain).length + others.length,
    risks: sortedRisks(changes.flatMap((change) => change.risks)),
    uncertain: uncertain.map((each) => safeText(sentenceFor(each))),
  } as const;
  const context = { steps, nameOf, placeOf, secrets };
  const silentCount = changes.filter((change) => change.requests.length === 0).length + others.length;
  return {
    summary: summaryOf(facts, silentCount),
    ...facts,
    changes,
    requests,
    others,
    errors: [...refusals, ...compact(run.reason), ...errorLines(run.errors, context)],
    warnings: warningLines(run, context),
    violations: violationLines(run, context),
  };
}

/** @param silentCount how many changes send nothing, or are of other packages */
export function summaryOf(
  { complete, risks, requestCount, uncertain }: Pick<Report, "complete" | "risks" | "requestCount" | "uncertain">,
  silentCount: number,
): string {
  const hasChanges = requestCount + silentCount > 0;
  const requests = requestCount === 0 ? "no requests" : plural(requestCount, "request");
  const counts = compact(requests, silentCount > 0 && plural(silentCount, "other change"));
  const parts = compact(
    !complete && "the preview failed",
    uncertain.length > 0 && `${uncertain.length} uncertain`,
    hasChanges ? counts.join(", ") : complete && "no changes",
  );
  return parts.join("; ") + (risks.length === 0 ? "" : `: ${risks.join(", ")}`);
}

/** The changes, each with its organization in its text if there are several. */
function withOrganizations(changes: readonly Change[], situations: readonly Situation[]): readonly Change[] {
  const states = situations.flatMap(({ step, declared }) => compact(step.before?.outputs, declared));
  const organizations = new Set(compact(...states.map(({ organization }) => organization)));
  if (organizations.size < 2) return changes;
  return changes.map((change) =>
    change.type === "Organization" ? change : { ...change, text: `${change.organization}: ${change.text}` },
  );
}

/** A line for each object whose newest secret the last update did not write into the outputs, unless another line is about it. */
function staleOutputs(state: StackState, changes: readonly Change[], nameOf: (urn: string) => string): Change[] {
  const changed = new Set(changes.map(({ urn }) => urn));
  const stale = state.objects.filter(({ urn, outputsStale }) => outputsStale && !changed.has(safeText(urn, Infinity)));
  return stale.map(({ urn, type, id = "", organization }) => {
    const name = safeName(nameOf(urn));
    return {
      ...withoutRequest,
      ...{ urn: safeText(urn, Infinity), op: "update", type, name },
      ...{ id: safeText(id), organization: safeText(organization) },
      text: `${name}: the outputs do not have its secret, because an update stopped early; this one writes it there`,
    };
  });
}

/** Whether it is a resource of a provider, and neither a component nor the stack. */
const isCustom = ({ before, after }: Step): boolean => (after ?? before)?.custom === true;

/** Sorted, because the engine's order may differ from run to run. */
function otherChanges(steps: readonly Step[]): OtherChange[] {
  const others = steps.flatMap((step): OtherChange[] => {
    const { op, type, urn } = step;
    if (op === undefined || !isCustom(step) || lifecycleOf(type) || isOwnProvider(step)) return [];
    return [{ urn: safeText(urn, Infinity), op }];
  });
  return others.sort((a, b) => (a.urn < b.urn ? -1 : 1));
}

/** Where the requests go: those of what is declared, and of what is removed. */
function addressesOf(situations: readonly Situation[]): string[] {
  const addresses = situations.flatMap(({ declared, presentAddress }) =>
    compact(declared ? typeof declared.address === "string" && declared.address : presentAddress),
  );
  return [...new Set(addresses.map((address) => safeText(address)))].sort();
}
