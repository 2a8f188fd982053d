/**
 * What is known of each step of this package's resources, from all steps of its run: which step declares its object, what the object was
 * called before, where its requests go, and what its verbs send.
 */
import { dryRun, type Planned, type Verb } from "../../lifecycle/dry-run.js";
import { hiddenAs } from "../../lifecycle/effects/effect.js";
import type { Edit } from "../../lifecycle/effects/guards.js";
import type { Lifecycle } from "../../lifecycle/lifecycle.js";
import { textIn, type Values } from "../../values/any.js";
import { objectKeys, type OrganizationScoped } from "../../lifecycle/object.js";
import { doubted } from "../../lifecycle/pending.js";
import type { PlaceOf } from "../../organization-file/places.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";
import type { ResourceState, Step } from "../pulumi/steps.js";
import type { Memory } from "../state/memory.js";
import { editsOf } from "./diff.js";
import { addressesIn, hiddenMovesIn, providerName, type AddressOf } from "./providers.js";
import { declarationOf, lifecycleOf } from "./resources.js";
import { safeName, secretsAsUnknown } from "./text.js";

export interface Situation {
  /** Its old state is as the provider sees it: uncertain, if a request that started from it is pending. */
  readonly step: Step;
  readonly lifecycle: Lifecycle;
  readonly name: string;
  /** The file and the line that declare it, such as "organization.yaml:2". */
  readonly place: string | undefined;
  /** The inputs that the user changed. */
  readonly edits: readonly Edit[];
  /** Whether the step was of an update, and not of a preview. */
  readonly isUpdate: boolean;
  /** The step that declares the object of the old state. If there is one, a delete sends nothing. */
  readonly declarer: Situation | undefined;
  /** The declarer, if it declares that object under another name. */
  readonly renamedTo: Situation | undefined;
  /** The step with the old state of the declared object. */
  readonly former: Situation | undefined;
  readonly oldProvider: string;
  readonly newProvider: string;
  /** Where the requests for the old state went; undefined if no value has it. */
  readonly oldAddress: string | undefined;
  /** Where the requests for the declared object go. */
  readonly newAddress: string | undefined;
  /** Whether the requests for the object of the old state go to another address than before. */
  readonly isMoved: boolean;
  /** Where the requests of the old state's provider go now; undefined if that cannot be seen. */
  readonly movedTo: string | undefined;
  /** Whether its provider now has another organization than the old state. Then it sends nothing for the object of the old state. */
  readonly isOfOtherOrganization: boolean;
  readonly planned: PlannedVerbs;
}

/** What the verbs of a step send. A verb that the step does not have is absent. */
interface PlannedVerbs {
  readonly create?: Planned;
  readonly update?: Planned;
  readonly delete?: Planned;
  /** Of an update for no reason that can be seen: what it sends if a hidden value makes the old state uncertain. */
  readonly updateIfUncertain?: Planned;
  /** Of a renamed object: what an update would send if an alias gave the old state to the new name. */
  readonly renamed?: Planned;
}

/** A verb that is called, or not called, and sends nothing. */
export const nothing: Planned = { requests: [], isReadable: true };

export const sendsNothing = (planned: Planned | undefined): boolean => planned?.requests.length === 0;

interface RunFacts {
  readonly nameOf: (urn: string) => string;
  readonly placeOf: PlaceOf;
  readonly memory: Memory;
}

/** A situation whose members are filled in one after the other. */
type Draft = { -readonly [Key in keyof Situation]: Situation[Key] };

export async function situationsOf(
  { steps, kind }: Pick<PreviewOrUpdate, "steps" | "kind">,
  { nameOf, placeOf, memory }: RunFacts,
): Promise<readonly Situation[]> {
  const addressOf = addressesIn(steps);
  const situations = steps.flatMap((given): Draft[] => {
    const lifecycle = lifecycleOf(given.type);
    if (!lifecycle) return [];
    const step = asProviderSees(given, lifecycle, memory);
    const { urn, before, after } = step;
    const edits = editsOf(before?.inputs ?? {}, after?.inputs ?? {});
    const edited = before ? edits.map(({ property }) => property) : [];
    const { type, identity } = lifecycle;
    return [
      {
        step,
        lifecycle,
        name: safeName(nameOf(urn)),
        place: after && placeOf({ type, ...declarationOf(urn, after.parent), id: after.inputs[identity], edited }),
        edits,
        isUpdate: kind === "update",
        declarer: undefined,
        renamedTo: undefined,
        former: undefined,
        oldProvider: providerName(before?.provider ?? ""),
        newProvider: providerName(after?.provider ?? ""),
        oldAddress: before && (addressOf(before, before.outputs) ?? addressOf(before, before.inputs)),
        newAddress: after && addressOf(after, after.inputs),
        isMoved: false,
        movedTo: undefined,
        isOfOtherOrganization: false,
        planned: {},
      },
    ];
  });
  linkObjects(situations, addressOf);
  linkProviders(situations, hiddenMovesIn(steps));
  // It comes last: whether a verb sends depends on where else the object is declared.
  await Promise.all(situations.map(async (situation) => (situation.planned = await plannedOf(situation))));
  return situations;
}

function asProviderSees(step: Step, lifecycle: Lifecycle, memory: Memory): Step {
  const { before } = step;
  if (!before) return step;
  const outputs = before.outputs as Values & OrganizationScoped;
  const address = textIn(step.after?.inputs ?? {}, "address") ?? textIn(outputs, "address") ?? "";
  const target = { organization: textIn(outputs, "organization") ?? "", address };
  return { ...step, before: { ...before, outputs: doubted(memory, lifecycle, outputs, target) } };
}

/** Finds for each object the step that declares it, and the one with its old state. */
function linkObjects(situations: readonly Draft[], addressOf: AddressOf): void {
  const keysOf = ({ type, identity }: Lifecycle, state: ResourceState | undefined, values: Values = {}): string[] => {
    const { organization, [identity]: id } = values;
    if (!state || typeof organization !== "string" || typeof id !== "string" || hiddenAs([organization, id])) return [];
    return objectKeys({ type }, id, { organization, address: addressOf(state, values) });
  };
  const own = situations.map((situation) => {
    const { lifecycle, step } = situation;
    const old = keysOf(lifecycle, step.before, step.before?.outputs);
    const fresh = keysOf(lifecycle, step.after, step.after?.inputs);
    return { situation, old, fresh };
  });
  const declared = new Map(own.flatMap(({ situation, fresh }) => fresh.map((key) => [key, situation] as const)));
  const formers = new Map(
    own.flatMap(({ situation, old: [name, ...others] }) => {
      if (name === undefined) return [];
      // Organizations may share an address: an object that is still declared was not renamed.
      return [name, ...(declared.has(name) ? [] : others)].map((key) => [key, situation] as const);
    }),
  );
  for (const { situation, old, fresh } of own) {
    situation.declarer = firstFound(old, declared);
    situation.former = firstFound(fresh, formers);
  }
  for (const situation of situations) if (isRenamed(situation)) situation.renamedTo = situation.declarer;
}

/** Whether another resource declares the object: a new one, or a replaced one that declared another object before. */
function isRenamed({ step, declarer: to }: Situation): boolean {
  if (to?.step.op === "create") return true;
  return (
    to?.step.op === "replace" && to.step.before !== step.before && to.step.before !== undefined && to.declarer !== to
  );
}

function firstFound<Value>(keys: readonly string[], map: ReadonlyMap<string, Value>): Value | undefined {
  return keys.map((key) => map.get(key)).find((value) => value !== undefined);
}

/** Finds for each old state the present address and organization of its provider. @param hidden providers whose new address cannot be seen */
function linkProviders(situations: readonly Draft[], hidden: ReadonlySet<string>): void {
  const addresses = new Map<string, string>();
  const organizations = new Map<string, unknown>();
  for (const { step, newProvider, newAddress } of situations) {
    if (!step.after) continue;
    if (newAddress !== undefined) addresses.set(newProvider, newAddress);
    organizations.set(newProvider, step.after.inputs.organization);
  }
  for (const situation of situations) {
    const { step, oldProvider, oldAddress } = situation;
    if (!step.before) continue;
    const isHidden = hidden.has(oldProvider);
    const [to, organization] = [addresses.get(oldProvider), organizations.get(oldProvider)];
    const old = step.before.outputs.organization;
    situation.isMoved = isHidden || (oldAddress !== undefined && to !== undefined && oldAddress !== to);
    situation.movedTo = isHidden ? undefined : to;
    situation.isOfOtherOrganization =
      typeof organization === "string" && typeof old === "string" && organization !== old;
  }
}

/** Runs the verbs of a step that may send, each of them once. */
async function plannedOf(situation: Situation): Promise<PlannedVerbs> {
  const { step, lifecycle, declarer, renamedTo, isOfOtherOrganization, isMoved, oldAddress, movedTo } = situation;
  const { op, before, after } = step;
  const planned = (verb: Verb, declared = after, state = before?.outputs ?? {}) => {
    const inputs = secretsAsUnknown(declared?.inputs ?? {});
    const address = verb === "delete" ? (isMoved ? movedTo : oldAddress) : textIn(inputs, "address");
    return dryRun(lifecycle, { verb, state, olds: before?.inputs, inputs, address });
  };
  // A create knows the old state of its object only from a diff in the same run.
  const isDiffed = step.diffed && before !== undefined && after !== undefined && isOf(lifecycle, before, after);
  const isDeleted = (op === "delete" || op === "replace") && before !== undefined && !declarer;
  const update = op === "update" ? await planned("update") : undefined;
  const isLeft = before?.retainOnDelete === true || isOfOtherOrganization;
  return {
    ...((op === "create" || op === "replace") && {
      create: await planned(op === "replace" && isDiffed ? "replace" : "create"),
    }),
    // The engine calls no verb for an unchanged resource.
    ...(op === undefined && { update: nothing }),
    ...(update && { update }),
    ...(update?.requests.length === 0 &&
      isWithoutReason(situation) && {
        updateIfUncertain: await planned("update", after, { ...before?.outputs, ...lifecycle.mark }),
      }),
    ...(isDeleted && { delete: isLeft ? nothing : await planned("delete") }),
    ...(renamedTo && { renamed: await planned("update", renamedTo.step.after) }),
  };
}

const isWithoutReason = ({ edits, isMoved, oldProvider, newProvider }: Situation): boolean =>
  edits.length === 0 && !isMoved && oldProvider === newProvider;

/** Whether both states are of one object. */
function isOf({ identity }: Lifecycle, before: ResourceState, after: ResourceState): boolean {
  return ["organization", identity].every((key) => before.outputs[key] === after.inputs[key]);
}
