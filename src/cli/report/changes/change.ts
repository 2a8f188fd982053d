/** A line of a report. */
import type { PlannedRequest } from "../../../client/planned-request.js";
import type { Risk } from "../../../lifecycle/effects/effect.js";
import type { Op } from "../../pulumi/steps.js";

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

/** What a change has that sends nothing, unless it says otherwise. */
export const withoutRequest = { risks: [], requests: [], loosened: [], dueAlone: false, diff: [], place: undefined };
