/** The forms of a report. */
import type { Report } from "./describe.js";
import { markdown } from "./markdown.js";
import { terminal } from "./terminal.js";

export const formats = ["markdown", "terminal", "json", "summary"] as const;
export type Format = (typeof formats)[number];

/** Version of the JSON form: a number that grows when a reader of the old one would go wrong. */
const jsonVersion = 1;

export interface Style {
  /** For the terminal's form alone. */
  readonly colors?: boolean;
  /** The commit that the report is about, for people; undefined where it is not known. */
  readonly commit?: string | undefined;
}

export function format(report: Report, form: Format, { colors = false, commit }: Style = {}): string {
  switch (form) {
    case "markdown":
      return markdown(report, commit);
    case "terminal":
      return terminal(report, colors);
    case "json":
      return json(report);
    case "summary":
      return `${report.summary}\n`;
  }
}

/** The preview alone decides it, so that two previews can be compared by it: no place, no commit. */
function json({ changes, ...report }: Report): string {
  const document = { version: jsonVersion, ...report, changes: changes.map(({ place: _place, ...change }) => change) };
  return `${JSON.stringify(document, null, 2)}\n`;
}
