/** The lines of a report: what each step does, in one text with its risks. */
import { compact } from "../../../values/any.js";
import { safeName, safeText } from "../../output.js";
import type { Step } from "../../pulumi/steps.js";
import type { ObjectState } from "../../state/state.js";
import { editLines } from "../situations/diff.js";
import type { Situation } from "../situations/situations.js";
import { withoutRequest, type Change } from "./change.js";
import { effectsOf } from "./effects.js";
import { organizationChanges } from "./organizations.js";
import { compareRisks, risksOf } from "./risks.js";

/** What puts a whole organization at risk comes first, then the worst risks. The engine's order does not matter. */
export function changesOf(steps: readonly Step[], situations: readonly Situation[]): Change[] {
  const ofObjects = situations.flatMap((situation) => changeOf(situation) ?? []);
  const changes = [...organizationChanges(steps, situations), ...ofObjects];
  const rankOf = ({ type, risks }: Change): number => (type === "Organization" && risks.length > 0 ? 0 : 1);
  return withOrganizations(changes, situations).toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      compareRisks(a.risks, b.risks) ||
      b.requests.length - a.requests.length ||
      (`${a.text} ${a.id}` < `${b.text} ${b.id}` ? -1 : 1),
  );
}

/** The changes, each with its organization in its text if there are several. */
function withOrganizations(changes: readonly Change[], situations: readonly Situation[]): readonly Change[] {
  const states = situations.flatMap(({ step }) => compact(step.before, step.after));
  const organizations = new Set(compact(...states.map(({ inputs }) => inputs.organization)));
  if (organizations.size < 2) return changes;
  return changes.map((change) =>
    change.type === "Organization" ? change : { ...change, text: `${change.organization}: ${change.text}` },
  );
}

/** Longest text of an effect, characters. It leaves room for commands, which must not be cut. */
const maxEffect = 2000;

/** The line of a step; undefined if it changes nothing that is declared. */
function changeOf(situation: Situation): Change | undefined {
  const { step, lifecycle, name, place, values, edits } = situation;
  const { lead, effects, requests, loosened, dueAlone } = effectsOf(situation);
  if (effects.length === 0) return undefined;
  const sorted = effects.toSorted((a, b) => compareRisks(a.risks, b.risks));
  // The engine has no operation for a resource whose new inputs it only stores.
  const { op = "update", unfinished } = step;
  const shown = (value: unknown) => (typeof value === "string" ? safeText(value) : "");
  const texts = sorted.map(({ text }) => safeText(text, maxEffect)).join("; ");
  return {
    urn: safeText(step.urn, Infinity),
    op,
    type: lifecycle.type,
    name,
    id: shown(values[lifecycle.identity]),
    organization: shown(values.organization),
    text: compact(unfinished && "did not finish", lead, texts).join(": "),
    risks: risksOf(effects),
    requests,
    loosened: loosened.map((line) => safeText(line, maxEffect)),
    dueAlone,
    diff: edits.flatMap(editLines),
    place,
  };
}

export type StatedObject = Pick<ObjectState, "urn" | "type" | "id" | "organization" | "outputsStale">;

/** A line for each object whose newest secret the last update did not write into the outputs, unless a line of `changes` is about it. */
export function staleOutputChanges(
  objects: readonly StatedObject[],
  changes: readonly Change[],
  situations: readonly Situation[],
  nameOf: (urn: string) => string,
): readonly Change[] {
  const changed = new Set(changes.map(({ urn }) => urn));
  const stale = objects.filter(({ urn, outputsStale }) => outputsStale && !changed.has(safeText(urn, Infinity)));
  const lines = stale.map((object) => staleOutputChange(object, safeName(nameOf(object.urn))));
  return withOrganizations(lines, situations);
}

function staleOutputChange({ urn, type, id = "", organization }: StatedObject, name: string): Change {
  return {
    ...withoutRequest,
    urn: safeText(urn, Infinity),
    op: "update",
    type,
    name,
    id: safeText(id),
    organization: safeText(organization),
    text: `${name}: the outputs do not have its secret, because an update stopped early; this one writes it there`,
  };
}
