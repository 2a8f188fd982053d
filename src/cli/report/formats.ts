/** Prints a report: as Markdown, as lines for a terminal, or as JSON. */
import { labelOf } from "../../lifecycle/effects/risk.js";
import { compact } from "../../values/any.js";
import { asCode, escapeMarkdown, jsonDocument, markdownOf, parenthesized, safeCode, styled } from "../output.js";
import type { Op } from "../pulumi/steps.js";
import type { Change } from "./lines.js";
import type { Report } from "./report.js";

export const formats = ["markdown", "terminal", "json"] as const;
export type Format = (typeof formats)[number];

/** @param colors of the terminal's form */
export function formatReport(report: Report, format: Format, colors = false): string {
  if (format === "json") return reportJson(report);
  return format === "markdown" ? markdown(report) : terminal(report, colors);
}

/** Such as "voiceplane preview: 5 requests" or "voiceplane: the preview failed". */
const titleOf = ({ complete, summary }: Report): string => `voiceplane${complete ? " preview" : ""}: ${summary}`;

/** The report with the labels that `--fail-on` takes. It has nothing that differs between two runs. */
function reportJson({ changes, ...report }: Report): string {
  return jsonDocument({
    version: 1,
    ...report,
    risks: report.risks.map(labelOf),
    changes: changes.map(({ risks, requests, ...change }) => ({
      ...change,
      risks: risks.map(labelOf),
      requests: requests.length,
    })),
  });
}

const signs: Readonly<Record<Op, string>> = { create: "+", update: "~", replace: "+-", delete: "-", import: "=" };

/** The sections of the two formats for people. Sections without a line are left out. */
function sectionsOf(report: Report, change: (change: Change) => string, line: (text: string) => string) {
  const { errors, violations, changes, others, uncertain } = report;
  const sections: readonly [heading: string, lines: readonly string[]][] = [
    ["Errors", [...errors, ...violations].map(line)],
    ["Risks", changes.filter(({ risks }) => risks.length > 0).map(change)],
    ["Uncertain", uncertain.map(line)],
    ["Warnings", report.warnings.map(line)],
    ["Changes without a risk", changes.filter(({ risks }) => risks.length === 0).map(change)],
    ["Other resources", others.map(({ op, urn }) => line(`${op} ${asCode(urn)}`))],
  ];
  return sections.filter(([, lines]) => lines.length > 0);
}

/** The object's id where the name is another one, and the place. */
const marksOf = ({ id, name, place }: Change): string[] => compact(id !== "" && id !== name && id, place);

function terminal(report: Report, colors: boolean): string {
  const change = (each: Change): string => {
    const { op, risks, text } = each;
    const sign = signs[op].padEnd(2);
    const line = `${text}${parenthesized(marksOf(each).join(", "))}`;
    if (risks.length === 0) return `  ${sign} ${line}`;
    return `  ${styled(colors, ["red", "bold"], sign)} ${line}\n     ${styled(colors, "red", risks.join(", "))}`;
  };
  const sections = sectionsOf(report, change, (text) => `     ${text}`);
  const body = sections.map(([heading, lines]) => `${styled(colors, "bold", heading)}\n\n${lines.join("\n")}`);
  return `${[styled(colors, "bold", titleOf(report)), ...body].join("\n\n")}\n`;
}

/** A comment on GitHub has at most 65,536 characters. The rest is for what a pipeline adds. */
const maxMarkdown = 64_000;

function markdown(report: Report): string {
  const lines = [`### ${escapeMarkdown(titleOf(report))}`];
  const head = headOf(report);
  if (head !== "") lines.push("", head);
  for (const [heading, items] of sectionsOf(report, changeLine, (text) => `- ${markdownOf(text)}`))
    lines.push("", `#### ${heading}`, "", ...items);
  return `${fitted(lines).join("\n")}\n`;
}

/** As many of the lines as fit, and how many do not. The risks come before what has none. */
function fitted(lines: readonly string[]): readonly string[] {
  let room = maxMarkdown;
  const count = lines.findIndex((line) => (room -= line.length + 1) < 0);
  if (count < 0) return lines;
  return [...lines.slice(0, count), `- and ${lines.length - count} more lines, which do not fit into a comment`];
}

/** "Stack `dev` of `acme`, at `https://api.example.com`". */
function headOf({ stack, project, addresses }: Report): string {
  const parts = compact(
    stack !== "" && `Stack ${safeCode(stack)} of ${safeCode(project)}`,
    addresses.length > 0 && `at ${addresses.map(safeCode).join(", ")}`,
  );
  return parts.join(", ");
}

function changeLine(change: Change): string {
  const { risks, text } = change;
  const start = risks.length === 0 ? "- " : `- ${risks.map((risk) => `**${risk}**`).join(", ")}: `;
  return start + markdownOf(text) + parenthesized(marksOf(change).map(safeCode).join(", "));
}
