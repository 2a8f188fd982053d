/**
 * What is known of each step of this package's resources, from all steps of its run: which step declares its object, what the object was
 * called before, where its requests go, and what its verbs send.
 */
import { anyRequest, type PlannedRequest } from "../../client/planned-request.js";
import { dryRun, type Verb } from "../../lifecycle/dry-run.js";
import { hiddenAs } from "../../lifecycle/effects/risk.js";
import type { Lifecycle } from "../../lifecycle/lifecycle.js";
import { objectKey } from "../../lifecycle/object.js";
import { periods } from "../../lifecycle/schedule.js";
import type { ChangedResource, PlaceOf } from "../../organization-file/places.js";
import { resources, resourceTypeOf } from "../../resources/index.js";
import type { Values } from "../../values/any.js";
import { organizationType, secretsAsUnknown, unknownValue, urnParts } from "../../values/engine.js";
import { safeName } from "../output.js";
import type { Step } from "../pulumi/steps.js";
import { editsOf } from "./edits.js";
import { addressIn, nameIn, providerAddresses, providerName } from "./providers.js";

/** @param token the engine's name of the type, dynamic or native @returns undefined for a type of another package */
export function lifecycleOf(token: string): Lifecycle | undefined {
  const type = resourceTypeOf(token);
  return type && resources[type].lifecycle;
}

/** Where a resource is declared: by its own name, or as an entry of its parent, if that is an Organization. */
export function declarationOf(urn: string, parent = ""): Pick<ChangedResource, "name" | "organization" | "key"> {
  const [name, organization] = [nameIn(urn), nameIn(parent)];
  if (urnParts(parent).type !== organizationType || !name.startsWith(`${organization}-`)) return { name };
  return { name, organization, key: name.slice(organization.length + 1) };
}

export interface StepFacts {
  readonly step: Step;
  readonly lifecycle: Lifecycle;
  readonly name: string;
  readonly place: string | undefined;
  /** What is declared, with the organization and the address of its provider where no check has added them; undefined for what is removed. */
  readonly declared: Values | undefined;
  /** Whether nothing has checked what is declared, because a setting of its provider is not known yet. */
  readonly isUnchecked: boolean;
  readonly oldProvider: string;
  readonly newProvider: string;
}

interface Moves {
  /** Where the requests for the old state went, and go now; undefined if that cannot be seen. */
  readonly oldAddress: string | undefined;
  readonly presentAddress: string | undefined;
  readonly isMoved: boolean;
  /** Whether its provider now has another organization than the old state. Then it sends nothing for that object. */
  readonly isOfOtherOrganization: boolean;
}

interface Links<Linked> {
  /** The step that declares the object of the old state. If there is one, a delete sends nothing. */
  readonly declarer: Linked | undefined;
  /** The step that has the old state of the object that this step declares. */
  readonly former: Linked | undefined;
}

interface Plans {
  /** What each verb sends; undefined for one that the step does not call. */
  readonly planned: Readonly<Partial<Record<"create" | "update" | "delete", readonly PlannedRequest[]>>>;
  /** Whether an update has no reason that can be seen, so that it may send all the same. */
  readonly isUnexplained: boolean;
}

type LinkedStep = StepFacts & Plans;

export interface Situation extends LinkedStep, Moves, Links<LinkedStep> {}

export interface RunFacts {
  readonly nameOf: (urn: string) => string;
  readonly placeOf: PlaceOf;
}

export async function situationsOf(steps: readonly Step[], about: RunFacts): Promise<readonly Situation[]> {
  const [before, after] = [providerAddresses(steps, "before"), providerAddresses(steps, "after")];
  const facts = steps.flatMap((step) => factsOf(step, after, about) ?? []);
  const movesOf = movesIn(facts, before, after);
  const linksOf = linksBetween(facts);
  const found = facts.map((each) => ({ ...each, ...movesOf(each), ...linksOf(each) }));
  const planned = await Promise.all(found.map(async (each) => ({ ...each, ...(await plannedOf(each)) })));
  const byStep = new Map(planned.map((each) => [each.step, each]));
  const linked = (to: StepFacts | undefined) => to && byStep.get(to.step);
  return planned.map((each) => ({ ...each, declarer: linked(each.declarer), former: linked(each.former) }));
}

function factsOf(
  step: Step,
  addresses: ReadonlyMap<string, string | undefined>,
  { nameOf, placeOf }: RunFacts,
): StepFacts | undefined {
  const lifecycle = lifecycleOf(step.type);
  if (!lifecycle) return undefined;
  const { urn, before, after } = step;
  const { type, identity } = lifecycle;
  const newProvider = providerName(after?.provider ?? "");
  const isUnchecked = after !== undefined && after.inputs.organization === undefined;
  // An explicit provider has the name of its organization.
  const owner = { organization: newProvider, address: addresses.get(newProvider) };
  const inputs = after?.inputs ?? {};
  // Every argument of a new resource is an edit, so its place is the line of its name.
  const edited = before ? editsOf(before.inputs, inputs).map(({ property }) => property) : [];
  return {
    step,
    lifecycle,
    name: safeName(nameOf(urn)),
    place: after && placeOf({ type, ...declarationOf(urn, after.parent), id: inputs[identity], edited }),
    declared:
      after && (isUnchecked && newProvider !== "" && newProvider !== "default" ? { ...inputs, ...owner } : inputs),
    isUnchecked,
    oldProvider: providerName(before?.provider ?? ""),
    newProvider,
  };
}

/** Finds for each old state the present address and organization of its provider. */
function movesIn(
  facts: readonly StepFacts[],
  before: ReadonlyMap<string, string | undefined>,
  after: ReadonlyMap<string, string | undefined>,
): (each: StepFacts) => Moves {
  const present = new Map(after);
  const organizations = new Map<string, unknown>();
  for (const { newProvider, declared } of facts) {
    if (declared === undefined) continue;
    if (declared.address !== undefined) present.set(newProvider, addressIn(declared.address));
    organizations.set(newProvider, declared.organization);
  }
  const declaring = new Set(organizations.keys());
  return ({ step, oldProvider }) => {
    const { inputs = {}, outputs = {} } = step.before ?? {};
    const oldAddress = addressIn(outputs.address ?? inputs.address) ?? before.get(oldProvider);
    // A provider without a declared resource has only its own setting. If that was not the address of the state, a variable overrides it.
    const isOverridden = !declaring.has(oldProvider) && before.get(oldProvider) !== oldAddress;
    const presentAddress = present.has(oldProvider) && !isOverridden ? present.get(oldProvider) : oldAddress;
    const [old, organization] = [outputs.organization, organizations.get(oldProvider)];
    return {
      oldAddress,
      presentAddress,
      isMoved: oldAddress !== presentAddress || (presentAddress === undefined && present.has(oldProvider)),
      isOfOtherOrganization: typeof organization === "string" && typeof old === "string" && organization !== old,
    };
  };
}

/** Finds the other steps of each step's objects, by type, organization and id. */
function linksBetween(facts: readonly StepFacts[]): (each: StepFacts) => Links<StepFacts> {
  const byKey = (valuesOf: (each: StepFacts) => Values | undefined) =>
    new Map(facts.flatMap((each) => keyOf(each.lifecycle, valuesOf(each)).map((key) => [key, each] as const)));
  const declaring = byKey(({ declared }) => declared);
  const owning = byKey(({ step }) => step.before?.outputs);
  const found = (map: ReadonlyMap<string, StepFacts>, [key]: readonly string[]) =>
    key === undefined ? undefined : map.get(key);
  return ({ lifecycle, step, declared }) => ({
    declarer: found(declaring, keyOf(lifecycle, step.before?.outputs)),
    former: found(owning, keyOf(lifecycle, declared)),
  });
}

/** Empty if the values do not say which object it is. */
function keyOf({ type, identity }: Lifecycle, values: Values = {}): readonly string[] {
  const { organization, [identity]: id } = values;
  if (typeof organization !== "string" || typeof id !== "string" || hiddenAs([organization, id])) return [];
  return [objectKey(type, id, organization)];
}

/** Runs each verb once that the engine calls for a step, or may call. */
async function plannedOf(facts: StepFacts & Moves & Links<StepFacts>): Promise<Plans> {
  const { step, lifecycle, declared, isUnchecked, presentAddress } = facts;
  const { op, before } = step;
  const inputs = withDue(lifecycle, secretsAsUnknown(declared ?? {}), before?.inputs);
  const run = async (verb: Verb, state: Values = before?.outputs ?? {}) => {
    const address = verb === "delete" ? presentAddress : addressIn(inputs.address);
    return (await dryRun(lifecycle, { verb, state, inputs, address })).requests;
  };
  const isRetained = before?.retainOnDelete === true || facts.isOfOtherOrganization;
  const deletes = isDeleted(facts) ? { delete: isRetained ? [] : await run("delete") } : {};
  if (op === undefined || op === "delete" || op === "import") return { planned: deletes, isUnexplained: false };
  if (isUnchecked) {
    // What no check has seen may be sent in another form, and an update may turn out to be of any kind.
    const isSent = op === "create" ? lifecycle.sends({ organization: "", ...inputs }) : lifecycle.everSends?.(inputs);
    const open = isSent === false ? [] : [uncheckedRequest(lifecycle, inputs)];
    return { planned: { [op === "update" ? op : "create"]: open, ...deletes }, isUnexplained: false };
  }
  if (op === "update") {
    const requests = await run("update");
    const isUnexplained = requests.length === 0 && isWithoutReason(facts);
    // What it may send all the same is what an uncertain state would make it send.
    const update = isUnexplained ? await run("update", { ...before?.outputs, ...lifecycle.mark }) : requests;
    return { planned: { update, ...deletes }, isUnexplained };
  }
  // The id that is not known yet may be the old one, and the engine then updates.
  const mayUpdate = op === "replace" && hiddenAs(inputs[lifecycle.identity]) !== undefined;
  const create = [...(await run("create")), ...(mayUpdate ? await run("update") : [])];
  return { planned: { create, ...deletes }, isUnexplained: false };
}

/** Whether the engine deletes the old state of an object that nothing declares any more. */
function isDeleted({ step, lifecycle, declared, declarer, isUnchecked }: StepFacts & Links<StepFacts>): boolean {
  const { op, before } = step;
  if (before === undefined || declarer) return false;
  const isOtherObject = isUnchecked && before.outputs[lifecycle.identity] !== declared?.[lifecycle.identity];
  return op === "delete" || op === "replace" || isOtherObject;
}

/** A period that cannot be seen may be due. */
function withDue({ date }: Lifecycle, inputs: Values, olds: Values | undefined): Values {
  const isHidden = olds !== undefined && hiddenAs(inputs[periods[date]]) !== undefined;
  return isHidden ? { ...inputs, __due: unknownValue } : inputs;
}

/** Any request for the object, as far as the values say which one it is. */
function uncheckedRequest({ operation, identity }: Lifecycle, inputs: Values): PlannedRequest {
  const [organization, id] = [inputs.organization, inputs[identity]].map((value) =>
    typeof value === "string" && hiddenAs(value) === undefined ? value : undefined,
  );
  const request = anyRequest(operation, { organization, address: addressIn(inputs.address) });
  return id === undefined ? request : { ...request, path: request.path.replace(/\{\w+\}/, encodeURIComponent(id)) };
}

/** Whether nothing that can be seen is the reason for an update. */
const isWithoutReason = ({ step, isMoved, oldProvider, newProvider }: StepFacts & Moves): boolean =>
  !isMoved &&
  oldProvider === newProvider &&
  step.before?.type === step.after?.type &&
  editsOf(step.before?.inputs ?? {}, step.after?.inputs ?? {}).length === 0;
