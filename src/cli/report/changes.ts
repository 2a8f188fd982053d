/** The lines of a report: what each step does, in one text with its risks. */
import { compact } from "../../values/any.js";
import type { PlannedRequest } from "../../client/planned-request.js";
import type { Risk } from "../../lifecycle/effects/effect.js";
import type { Op } from "../pulumi/steps.js";
import { editLines } from "./diff.js";
import { effectsOf } from "./effects.js";
import { compareRisks, risksOf } from "./risks.js";
import type { Situation } from "./situations.js";
import { safeName, safeText } from "./text.js";
import type { ObjectState } from "../state/state.js";

export interface Change {
  /** Empty for a change of an organization. */
  readonly urn: string;
  readonly op: Op;
  /** The resource type, such as "RetentionPolicy"; "Organization" for a change of an organization. */
  readonly type: string;
  readonly name: string;
  /** The object's id; empty if it cannot be read. */
  readonly id: string;
  /** Empty if it cannot be read. */
  readonly organization: string;
  /** The effects, the worst first, without a full stop. It is plain text without secrets, and parts in backticks are code. */
  readonly text: string;
  /** The worst first. */
  readonly risks: readonly Risk[];
  readonly requests: readonly PlannedRequest[];
  /** What loosens a guard, as lines of the difference. */
  readonly loosened: readonly string[];
  /** Whether its date alone is the reason: it sends what was approved before again, without a risk. */
  readonly dueAlone: boolean;
  /** The declared values before and after: one line for each input. */
  readonly diff: readonly string[];
  /** The file and the line that declare it, such as "organization.yaml:2". */
  readonly place: string | undefined;
}

/** A change without a request, a risk or a line of the difference. */
export const withoutRequest = { risks: [], requests: [], loosened: [], dueAlone: false, diff: [], place: undefined };

/** Longest text of an effect, characters. It leaves room for commands, which must not be cut. */
const maxEffect = 2000;

/** The line of a step; undefined if it changes nothing that is declared. */
export function changeOf(situation: Situation): Change | undefined {
  const { step, lifecycle, name, place, edits } = situation;
  const { lead, effects, requests, loosened, dueAlone } = effectsOf(situation);
  if (effects.length === 0) return undefined;
  const sorted = effects.toSorted((a, b) => compareRisks(a.risks, b.risks));
  // The engine has no operation for a resource whose new inputs it only stores.
  const { op = "update", before, after, unfinished } = step;
  const values = after?.inputs ?? before?.outputs ?? {};
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

/** The line of an object whose newest secret the last update did not write into the outputs. */
export function outputsChange(
  { urn, type, id = "", organization }: Pick<ObjectState, "urn" | "type" | "id" | "organization">,
  name: string,
): Change {
  const text = `${safeName(name)}: the outputs have an earlier secret, of the last complete update; this one writes the new one there`;
  return {
    urn: safeText(urn, Infinity),
    op: "update",
    type,
    name: safeName(name),
    id: safeText(id),
    organization: safeText(organization),
    text,
    ...withoutRequest,
  };
}
