/**
 * What is known of each step of this package's resources, from all steps of its run: which step declares its object, what the object was
 * called before, where its requests go, and what its verbs send.
 */
import { hiddenAs } from "../../lifecycle/effects/effect.js";
import type { Lifecycle } from "../../lifecycle/lifecycle.js";
import { objectKeys } from "../../lifecycle/object.js";
import type { Values } from "../../values/any.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";
import type { ResourceState } from "../pulumi/steps.js";
import { factsOf, type Links, type Moves, type RunFacts, type StepFacts } from "./facts.js";
import { plannedOf, type PlannedVerbs } from "./planned.js";
import { addressesIn, hiddenMovesIn, type AddressOf } from "./providers.js";

export interface Situation extends StepFacts, Links<Situation>, Moves {
  readonly planned: PlannedVerbs;
}

export async function situationsOf(
  { steps, phase }: Pick<PreviewOrUpdate, "steps" | "phase">,
  runFacts: RunFacts,
): Promise<readonly Situation[]> {
  const addressOf = addressesIn(steps);
  const facts = steps.flatMap((step) => factsOf(step, phase === "update", addressOf, runFacts) ?? []);
  const linksOf = linksBetween(facts, addressOf);
  const movesOf = movesIn(facts, hiddenMovesIn(steps));
  const situations = new Map<StepFacts, Situation>();
  const situationOf = (each: StepFacts | undefined) => each && situations.get(each);
  const complete = async (each: StepFacts): Promise<void> => {
    const links = linksOf(each);
    const moves = movesOf(each);
    const planned = await plannedOf(each, links, moves);
    situations.set(each, {
      ...each,
      ...moves,
      planned,
      // Two steps may name each other, so the other one is looked up when it is asked for.
      get declarer() {
        return situationOf(links.declarer);
      },
      get renamedTo() {
        return situationOf(links.renamedTo);
      },
      get former() {
        return situationOf(links.former);
      },
    });
  };
  await Promise.all(facts.map(complete));
  return facts.flatMap((each) => situationOf(each) ?? []);
}

/** Finds the other steps of each step's objects, by the keys of the object in its old state and of the object that it declares. */
function linksBetween(facts: readonly StepFacts[], addressOf: AddressOf): (each: StepFacts) => Links {
  const keysOfObject = (
    { type, identity }: Lifecycle,
    state: ResourceState | undefined,
    values: Values = {},
  ): string[] => {
    const { organization, [identity]: id } = values;
    if (!state || typeof organization !== "string" || typeof id !== "string" || hiddenAs([organization, id])) return [];
    return objectKeys({ type }, id, { organization, address: addressOf(state, values) });
  };
  const own = facts.map((each) => {
    const { lifecycle, step } = each;
    const oldKeys = keysOfObject(lifecycle, step.before, step.before?.outputs);
    const newKeys = keysOfObject(lifecycle, step.after, step.after?.inputs);
    return { each, oldKeys, newKeys };
  });
  const byNewKey = new Map(own.flatMap(({ each, newKeys }) => newKeys.map((key) => [key, each] as const)));
  const byOldKey = new Map(
    own.flatMap(({ each, oldKeys: [ofName, ...ofAddress] }) => {
      if (ofName === undefined) return [];
      // Organizations may share an address: an object that is still declared was not renamed.
      return [ofName, ...(byNewKey.has(ofName) ? [] : ofAddress)].map((key) => [key, each] as const);
    }),
  );
  const declarers = new Map(own.map(({ each, oldKeys }) => [each, firstFound(oldKeys, byNewKey)]));
  const formers = new Map(own.map(({ each, newKeys }) => [each, firstFound(newKeys, byOldKey)]));
  /** Whether another resource declares the object: a new one, or a replaced one that declared another object before. */
  const isRename = ({ step }: StepFacts, to: StepFacts): boolean => {
    const { op, before } = to.step;
    const hadAnother = before !== undefined && before !== step.before && declarers.get(to) !== to;
    return op === "create" || (op === "replace" && hadAnother);
  };
  return (each) => {
    const declarer = declarers.get(each);
    const renamedTo = declarer && isRename(each, declarer) ? declarer : undefined;
    return { declarer, renamedTo, former: formers.get(each) };
  };
}

function firstFound<Value>(keys: readonly string[], map: ReadonlyMap<string, Value>): Value | undefined {
  return keys.map((key) => map.get(key)).find((value) => value !== undefined);
}

/** Finds for each old state the present address and organization of its provider. @param hidden providers whose new address cannot be seen */
function movesIn(facts: readonly StepFacts[], hidden: ReadonlySet<string>): (each: StepFacts) => Moves {
  const addresses = new Map<string, string>();
  const organizations = new Map<string, unknown>();
  for (const { step, newProvider, newAddress } of facts) {
    if (!step.after) continue;
    if (newAddress !== undefined) addresses.set(newProvider, newAddress);
    organizations.set(newProvider, step.after.inputs.organization);
  }
  return ({ step: { before }, oldProvider, oldAddress }) => {
    if (!before) return { isMoved: false, presentAddress: undefined, isOfOtherOrganization: false };
    const isHidden = hidden.has(oldProvider);
    const to = addresses.get(oldProvider);
    const isMoved = isHidden || (oldAddress !== undefined && to !== undefined && oldAddress !== to);
    const organization = organizations.get(oldProvider);
    const old = before.outputs.organization;
    return {
      isMoved,
      presentAddress: isHidden ? undefined : isMoved ? to : oldAddress,
      isOfOtherOrganization: typeof organization === "string" && typeof old === "string" && organization !== old,
    };
  };
}
