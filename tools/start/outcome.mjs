import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** The engine's operations by their meaning for a reader. A replacement is counted by its create-replacement. */
const meanings = {
  create: "created",
  import: "created",
  update: "updated",
  "create-replacement": "updated",
  same: "unchanged",
  delete: "deleted",
};

const isDeclared = (type) => type !== "pulumi:pulumi:Stack" && !type.startsWith("pulumi:providers:");

/**
 * Counts, from an engine's event log, what an operation did with the resources that a program declares.
 *
 * @param {string} file one JSON event per line, as `--event-log` writes it
 * @returns {Promise<{created: number, updated: number, unchanged: number, deleted: number}>}
 * @throws {Error} if the log does not end with success.
 */
export async function readOutcome(file) {
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0 };
  let result = "no result";
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { resOutputsEvent, summaryEvent } = JSON.parse(line);
    if (summaryEvent) result = summaryEvent.result;
    const step = resOutputsEvent?.metadata;
    const meaning = step && isDeclared(step.type) ? meanings[step.op] : undefined;
    if (meaning) counts[meaning] += 1;
  }
  if (result !== "succeeded") throw new Error(`the engine reports: ${result}`);
  return counts;
}

/** The last line of a run. It mentions deletions only if there are any. */
export function doneLine({ created, updated, unchanged, deleted }) {
  const rest = deleted > 0 ? `, ${deleted} deleted` : "";
  return `done: ${created} created, ${updated} updated, ${unchanged} unchanged${rest}`;
}
