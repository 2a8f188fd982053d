/** What both forms for people show, in the same order. */
import type { Change } from "./changes.js";
import type { OtherChanges, Report } from "./describe.js";
import type { Op } from "./read.js";
import { plural } from "./summary.js";

export interface Form {
  heading(text: string): string;
  change(change: Change): string;
  other(text: string): string;
  error(text: string): string;
}

/** Errors and risks first; sections without a line are left out. */
export function sections({ kind, unseenCount, changes, others, errors }: Report, form: Form): string[] {
  const risky = changes.filter(({ risks }) => risks.length > 0);
  const calm = changes.filter(({ risks }) => risks.length === 0);
  const parts = [
    { heading: "Errors", lines: errors.map((error) => form.error(error)) },
    { heading: "Risks", lines: risky.map((change) => form.change(change)) },
    { heading: "Changes without a risk", lines: calm.map((change) => form.change(change)) },
    { heading: "Other resources", lines: others.map((other) => form.other(otherLine(other, kind))) },
    { heading: "Not shown", lines: unseenCount > 0 ? [form.other(unseenLine(unseenCount))] : [] },
  ];
  return parts.flatMap(({ heading, lines }) =>
    lines.length > 0 ? [`${form.heading(heading)}\n\n${lines.join("\n")}`] : [],
  );
}

function unseenLine(count: number): string {
  const [resources, them] = [plural(count, "resource"), count === 1 ? "it" : "them"];
  return (
    `${resources} that the engine calls unchanged: an edit of ${them} that acts later, such as of \`rotateAfter\` or ` +
    "`mustInclude`, would be missing here. Preview with `--show-sames`"
  );
}

const done: Readonly<Record<Op, string>> = {
  create: "created",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
  import: "imported",
};

function otherLine({ type, counts }: OtherChanges, kind: Report["kind"]): string {
  const parts = (Object.keys(done) as Op[]).flatMap((op) => {
    if (counts[op] === undefined) return [];
    return [kind === "update" ? `${counts[op]} ${done[op]}` : `${counts[op]} to ${op}`];
  });
  return `${type}: ${parts.join(", ")}`;
}
