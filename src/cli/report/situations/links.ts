/** Which steps of a run are of one object, under the same name or another one. */
import { hiddenAs } from "../../../lifecycle/effects/effect.js";
import type { Lifecycle } from "../../../lifecycle/lifecycle.js";
import { objectKeys } from "../../../lifecycle/object.js";
import type { Values } from "../../../values/any.js";
import type { StepFacts } from "./facts.js";
import type { Moves } from "./moves.js";

/** Other steps of the same objects. */
export interface Links<Linked = StepFacts> {
  /** The step that declares the object of the old state. If there is one, a delete sends nothing. */
  readonly declarer: Linked | undefined;
  /** The declarer, if it declares that object under another name. */
  readonly renamedTo: Linked | undefined;
  /** The step that has the old state of the object that this step declares. */
  readonly former: Linked | undefined;
}

/** Finds the other steps of each step's objects, by the keys of the object in its old state and of the object that it declares. */
export function linksBetween(
  facts: readonly StepFacts[],
  movesOf: (each: StepFacts) => Moves,
): (each: StepFacts) => Links {
  const byNewKey = new Map<string, StepFacts>();
  for (const each of facts) for (const key of newKeys(each)) byNewKey.set(key, each);
  const byOldKey = new Map<string, StepFacts>();
  for (const each of facts) {
    // Organizations may share an address, and their objects then share the key of the address. So it counts only for an object that is no
    // longer declared by the name of its organization.
    const ofName = oldKeys(each, undefined);
    const isDeclared = ofName.some((key) => byNewKey.has(key));
    for (const key of isDeclared ? ofName : oldKeys(each, each.oldAddress)) byOldKey.set(key, each);
  }
  // A delete goes to the present address, and asks whether the object is declared there.
  const declarerOf = (each: StepFacts) => firstFound(oldKeys(each, movesOf(each).presentAddress), byNewKey);
  /** Whether this resource is new, or had another object before. */
  const isNewName = (to: StepFacts) => to.step.op === "create" || (to.step.op === "replace" && declarerOf(to) !== to);
  return (each) => {
    const declarer = declarerOf(each);
    const renamedTo = declarer && isNewName(declarer) ? declarer : undefined;
    return { declarer, renamedTo, former: firstFound(newKeys(each), byOldKey) };
  };
}

const oldKeys = ({ lifecycle, step }: StepFacts, address: string | undefined): string[] =>
  keysOfObject(lifecycle, step.before?.outputs, address);

const newKeys = ({ lifecycle, step, newAddress }: StepFacts): string[] =>
  keysOfObject(lifecycle, step.after?.inputs, newAddress);

/** None if the values do not say which object it is. */
function keysOfObject({ type, identity }: Lifecycle, values: Values = {}, address: string | undefined): string[] {
  const { organization, [identity]: id } = values;
  if (typeof organization !== "string" || typeof id !== "string" || hiddenAs([organization, id])) return [];
  return objectKeys({ type }, id, { organization, address });
}

const firstFound = (keys: readonly string[], map: ReadonlyMap<string, StepFacts>): StepFacts | undefined =>
  keys.map((key) => map.get(key)).find((found) => found !== undefined);
