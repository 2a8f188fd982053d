/** The three forms of a report. */
import { styleText } from "node:util";
import type { Change, OtherChanges, Report } from "./describe.js";
import { escapeMarkdown } from "./text.js";

export const formats = ["markdown", "terminal", "json", "summary"] as const;
export type Format = (typeof formats)[number];

/** Version of the JSON form: a number that grows when a reader of the old one would go wrong. */
const jsonVersion = 1;

/** @param colors for the terminal's form alone */
export function format(report: Report, form: Format, colors: boolean): string {
  switch (form) {
    case "markdown":
      return markdown(report);
    case "terminal":
      return terminal(report, colors);
    case "json":
      return `${JSON.stringify({ version: jsonVersion, ...report }, null, 2)}\n`;
    case "summary":
      return `${report.summary}\n`;
  }
}

function markdown(report: Report): string {
  const line = ({ risks, text }: Change): string => {
    const labels = risks.map((risk) => `**${risk}**`).join(", ");
    return `- ${labels === "" ? "" : `${labels}: `}${escapeMarkdown(text)}`;
  };
  return sections(report, {
    title: (text) => `### ${text}`,
    heading: (text) => `#### ${text}`,
    change: line,
    other: (text) => `- ${escapeMarkdown(text)}`,
  });
}

function terminal(report: Report, colors: boolean): string {
  const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
    colors ? styleText(style, text, { validateStream: false }) : text;
  const change = ({ risks, text }: Change): string => {
    if (risks.length === 0) return `  ~ ${text}`;
    return `  ${styled(["red", "bold"], "!")} ${text}\n    ${styled("red", risks.join(", "))}`;
  };
  return sections(report, {
    title: (text) => styled("bold", text),
    heading: (text) => styled("bold", text),
    change,
    other: (text) => `  ~ ${text}`,
  });
}

interface Form {
  title(text: string): string;
  heading(text: string): string;
  change(change: Change): string;
  other(text: string): string;
}

/** Risks first; sections without a line are left out. */
function sections({ summary, changes, others, errors }: Report, form: Form): string {
  const risky = changes.filter(({ risks }) => risks.length > 0);
  const calm = changes.filter(({ risks }) => risks.length === 0);
  const parts = [
    { heading: "Errors", lines: errors.map((error) => form.other(error)) },
    { heading: "Risks", lines: risky.map((change) => form.change(change)) },
    { heading: "Changes without a risk", lines: calm.map((change) => form.change(change)) },
    { heading: "Other resources", lines: others.map((other) => form.other(otherLine(other))) },
  ];
  const told = parts.flatMap(({ heading, lines }) =>
    lines.length > 0 ? [`${form.heading(heading)}\n\n${lines.join("\n")}`] : [],
  );
  return `${[form.title(`voiceplane: ${summary}`), ...told].join("\n\n")}\n`;
}

const verbs = { create: "create", update: "update", replace: "replace", delete: "delete", import: "import" } as const;

function otherLine({ type, counts }: OtherChanges): string {
  const told = Object.values(verbs).flatMap((op) => (counts[op] === undefined ? [] : [`${counts[op]} to ${op}`]));
  return `${type}: ${told.join(", ")}`;
}
