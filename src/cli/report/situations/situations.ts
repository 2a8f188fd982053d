/**
 * What is known of each step of this package's resources, from all steps of its run: which step declares its object, what the object was
 * called before, where its requests go, and what its verbs send.
 */
import type { PreviewOrUpdate } from "../../pulumi/preview-or-update.js";
import { factsOf, type RunFacts, type StepFacts } from "./facts.js";
import { linksBetween, type Links } from "./links.js";
import { movesIn, type Moves } from "./moves.js";
import { plannedOf, type PlannedVerbs } from "./planned.js";
import { addressesIn, hiddenMovesIn, providerMoves } from "./providers.js";

export interface Situation extends StepFacts, Links<Situation>, Moves {
  readonly planned: PlannedVerbs;
}

export async function situationsOf(
  { steps, phase }: Pick<PreviewOrUpdate, "steps" | "phase">,
  runFacts: RunFacts,
): Promise<readonly Situation[]> {
  const addressOf = { before: addressesIn(steps, "before"), after: addressesIn(steps, "after") };
  const facts = steps.flatMap((step) => factsOf(step, phase === "update", addressOf, runFacts) ?? []);
  const movesOf = movesIn(facts, hiddenMovesIn(steps), providerMoves(steps));
  const linksOf = linksBetween(facts, movesOf);
  const known = await Promise.all(
    facts.map(async (each) => {
      const links = linksOf(each);
      const moves = movesOf(each);
      return { each, links, moves, planned: await plannedOf(each, links, moves) };
    }),
  );
  const situations = new Map<StepFacts, Situation>();
  const situationOf = (each: StepFacts | undefined) => each && situations.get(each);
  for (const { each, links, moves, planned } of known) {
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
  }
  return [...situations.values()];
}
