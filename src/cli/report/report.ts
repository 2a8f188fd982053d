/** What a report has. */
import type { PlannedRequest } from "../../client/planned-request.js";
import type { Risk } from "../../lifecycle/effects/effect.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";
import type { Change } from "./changes/change.js";
import type { OtherChanges } from "./changes/others.js";

/** A file that runs, or decides what runs, and differs from a commit. */
export interface ProgramChange {
  /** Its path from the project's folder. */
  readonly file: string;
  readonly change: "new" | "changed" | "removed";
  /** Of package.json and Pulumi.yaml: the names of the top-level keys that differ. */
  readonly keys: readonly string[];
}

export interface Report {
  /** One line, short enough for a commit status. */
  readonly summary: string;
  readonly phase: PreviewOrUpdate["phase"];
  /** False if the preview or update failed, so that changes may be missing, or if the update would be refused. */
  readonly complete: boolean;
  /** Empty if the preview has no steps. */
  readonly stack: string;
  readonly project: string;
  /** Where requests go, as far as the steps show it. */
  readonly addresses: readonly string[];
  /** The requests that change something in an organization. In a preview, they are all that an update may send. */
  readonly requests: readonly PlannedRequest[];
  readonly requestCount: number;
  /** How many changes there are, with those that send nothing and those of other packages. Components and the stack do not count. */
  readonly changeCount: number;
  /** How many of these changes are not only scheduled. Those of other packages always count. */
  readonly editCount: number;
  /** All risks of all changes, each once, the worst first. */
  readonly risks: readonly Risk[];
  /** The worst risks first. */
  readonly changes: readonly Change[];
  readonly others: readonly OtherChanges[];
  /** Empty if nobody compared the files. */
  readonly programChanges: readonly ProgramChange[];
  /** Lines without secrets: why an update would be refused, and what the run has reported. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** One line for each mandatory policy and resource. */
  readonly violations: readonly string[];
  /** After an update, a line for each object or operation whose outcome is not known. Absent for a preview. */
  readonly uncertain?: readonly string[];
  /** After an update that failed, a line for each planned change that it did not begin. */
  readonly notBegun?: readonly string[];
  /** Whether an update was refused a request that its plan does not have, and changed nothing before or beside it. */
  readonly isStopped?: boolean;
}
