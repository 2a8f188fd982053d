/** Writes the list of requests that holds an update: a plan, which is a report as JSON. */
import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { formatReport } from "../report/formats.js";
import type { Report } from "../report/report.js";

/**
 * Writes a file that only its user may read, because it names what the organization is about to have. A preview that failed is written too, so
 * that no earlier plan is left, and nobody takes it for a plan.
 */
export function writePlan(file: string, report: Report): void {
  const fd = openSync(file, "w", 0o600);
  try {
    // Opening a file that was there does not change its mode.
    if (fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
    writeFileSync(fd, formatReport(report, "json"));
  } finally {
    closeSync(fd);
  }
}
