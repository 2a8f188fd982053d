/** Where the requests for an object go, now and before. */
import type { StepFacts } from "./facts.js";
import type { Move } from "./providers.js";

/** What the run does to the provider of the old state. */
export interface Moves {
  /** Whether the requests for the object of the old state go to another address than before. */
  readonly isMoved: boolean;
  /** Where they go now; undefined if that cannot be seen. */
  readonly presentAddress: string | undefined;
  /** Whether its provider now has another organization than the old state. Then it sends nothing for the object of the old state. */
  readonly isOfOtherOrganization: boolean;
}

/**
 * Finds for each old state the present address and organization of its provider.
 *
 * @param hidden providers whose new address cannot be seen
 */
export function movesIn(
  facts: readonly StepFacts[],
  hidden: ReadonlySet<string>,
  providerMoves: readonly Move[],
): (each: StepFacts) => Moves {
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
    // A provider without a declared resource has only its own setting. If that was not the address of the state, a variable of the environment overrides it.
    const move = providerMoves.find(({ provider, from }) => provider === oldProvider && from === oldAddress);
    const visible = addresses.get(oldProvider) ?? move?.to ?? oldAddress;
    const organization = organizations.get(oldProvider);
    const old = before.outputs.organization;
    return {
      isMoved: isHidden || (oldAddress !== undefined && oldAddress !== visible),
      presentAddress: isHidden ? undefined : visible,
      isOfOtherOrganization: typeof organization === "string" && typeof old === "string" && organization !== old,
    };
  };
}
