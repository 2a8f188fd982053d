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
  const keysOfObject = ({ type, identity }: Lifecycle, values: Values = {}, address: string | undefined): string[] => {
    const { organization, [identity]: id } = values;
    if (typeof organization !== "string" || typeof id !== "string" || hiddenAs([organization, id])) return [];
    return objectKeys({ type }, id, { organization, address });
  };
  const own = facts.map((each) => {
    const { lifecycle, step, oldAddress, newAddress } = each;
    const oldKeysAt = (address: string | undefined) => keysOfObject(lifecycle, step.before?.outputs, address);
    return {
      each,
      oldKeys: oldKeysAt(oldAddress),
      // A delete goes to the present address, and asks whether the object is declared there.
      presentKeys: oldKeysAt(movesOf(each).presentAddress),
      newKeys: keysOfObject(lifecycle, step.after?.inputs, newAddress),
    };
  });
  const byNewKey = new Map(own.flatMap(({ each, newKeys }) => newKeys.map((key) => [key, each] as const)));
  const byOldKey = new Map(
    own.flatMap(({ each, oldKeys: [ofName, ...ofAddress] }) => {
      if (ofName === undefined) return [];
      // Organizations may share an address: an object that is still declared was not renamed.
      return [ofName, ...(byNewKey.has(ofName) ? [] : ofAddress)].map((key) => [key, each] as const);
    }),
  );
  const declarers = new Map(own.map(({ each, presentKeys }) => [each, firstFound(presentKeys, byNewKey)]));
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
