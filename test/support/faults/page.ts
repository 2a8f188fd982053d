/** The output that the tests of faults record for docs/operate/when-something-went-wrong.md. */
import { appendFileSync } from "node:fs";
import type { Project } from "../engine/project";

/**
 * Records what a user sees, if tools/write-operations.mjs runs the tests.
 *
 * @param scenario marks its place in the page
 */
export function show(scenario: string, stack: Project, output: string): void {
  const report = process.env.VOICEPLANE_OPERATIONS_REPORT;
  if (report === undefined) return;
  appendFileSync(report, `${JSON.stringify({ scenario, output: withoutChance(output, stack) })}\n`);
}

/** The last line with this text. */
export function lineOf(output: string, text: string): string {
  const line = output.split("\n").findLast((each) => each.includes(text));
  if (line === undefined) throw new Error(`no line with "${text}" in:\n${output}`);
  return line;
}

/** The diagnostics that the engine prints below a resource's name. */
export function diagnosticsOf(output: string, name: string): string {
  const lines = output.slice(output.indexOf("Diagnostics:")).split("\n");
  const start = lines.findIndex((line) => line.startsWith("  pulumi") && line.endsWith(`(${name}):`));
  if (start < 0) throw new Error(`no diagnostics of ${name} in:\n${output}`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line !== "" && !line.startsWith("    "));
  return [lines[start], ...rest.slice(0, end < 0 ? undefined : end)].join("\n").trimEnd();
}

/** Replaces what differs between runs, so that the generated page does not change each time. */
function withoutChance(output: string, { folder }: Project): string {
  return (
    output
      .replaceAll(folder, "/project")
      .replaceAll(/(127\.0\.0\.1):\d{4,5}/g, "$1:4010")
      // The engine's order decides which webhook the fault hits.
      .replaceAll(/crm-\d/g, "crm")
      .replaceAll(/c1000000-0000-4000-8000-00000000000\d/g, "c0000000-0000-4000-8000-000000000001")
      .replaceAll(/request id [\w-]+/g, "request id 0b1c…")
      .replaceAll(/locks\/organization\/test\/dev\/[\w-]+/g, "locks/organization/test/dev/5e3f…")
      .replaceAll(/created by \S+ \(pid \d+\) at \S+/g, "created by runner@host (pid 4711) at 2026-11-21T09:00:00Z")
      .replaceAll(/^@ updating\.+\n/gm, "")
      .replaceAll(/\n{3,}/g, "\n\n")
      .replaceAll(/[ \t]+$/gm, "")
      .replaceAll("\t", "  ")
  );
}
