/** Prints a report: as Markdown, as lines for a terminal, as JSON, or as one line. */
import { compact } from "../../values/any.js";
import { escapeMarkdown, jsonDocument, markdownOf, parenthesized, safeCode, safeName, styled } from "../output.js";
import type { Change } from "./changes/change.js";
import type { OtherChanges } from "./changes/others.js";
import { limited } from "./messages/message.js";
import type { ProgramChange, Report } from "./report.js";
import type { Op } from "../pulumi/steps.js";
import { isCalledByItsId } from "./situations/resources.js";
import { labelOf } from "../../lifecycle/effects/effect.js";

export const formats = ["markdown", "terminal", "json", "summary"] as const;
export type Format = (typeof formats)[number];

interface Style {
  readonly colors?: boolean;
  readonly commit?: string | undefined;
}

/** Only the terminal's form has colors, and only Markdown names the commit. */
export function formatReport(report: Report, format: Format, { colors = false, commit }: Style = {}): string {
  switch (format) {
    case "markdown":
      return markdown(report, commit);
    case "terminal":
      return terminal(report, colors);
    case "json":
      return reportJson(report);
    case "summary":
      return `${headingOf(report)}\n`;
  }
}

/** The texts of a preview and of an update are the same, so the heading says which one it is. The summary of a failed one says it too. */
const headingOf = ({ complete, phase, summary }: Report): string => (complete ? `${phase}: ${summary}` : summary);

/** Such as "voiceplane preview: 5 requests" or "voiceplane: the preview failed". */
const titleOf = (report: Report): string => `voiceplane${report.complete ? " " : ": "}${headingOf(report)}`;

/** The report with the labels that `--fail-on` takes. It has nothing that differs between two runs, such as the commit. */
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

interface Form {
  readonly heading: (text: string) => string;
  readonly change: (change: Change) => string;
  readonly line: (text: string) => string;
}

interface Part {
  readonly heading: string;
  readonly lines: readonly string[];
  /** The most characters in a comment. */
  readonly maxLength: number;
}

/** The sections of the two formats for people. Sections without a line are left out. */
function partsOf(report: Report, form: Form): Part[] {
  const { complete, changes, others, programChanges } = report;
  const errors = [...report.errors, ...report.violations];
  if (errors.length === 0 && !complete) errors.push("the events do not have the reason: see Pulumi's own output");
  const withRisk = changes.filter(({ risks }) => risks.length > 0);
  const withoutRisk = changes.filter(({ risks }) => risks.length === 0);
  const part = (heading: string, lines: readonly string[], maxLength = Infinity): Part => ({
    heading,
    lines,
    maxLength,
  });
  const parts = [
    part("Uncertain", (report.uncertain ?? []).map(form.line), maxBeforeRisks),
    part("Errors", errors.map(form.line), maxBeforeRisks),
    part("Not begun", limited(report.notBegun ?? []).map(form.line), maxBeforeRisks),
    part("Warnings", report.warnings.map(form.line), maxBeforeRisks),
    part("Risks", withRisk.map(form.change)),
    part("What runs", limited(programChanges.map(programLine)).map(form.line)),
    part("Changes without a risk", withoutRisk.map(form.change)),
    part("Other resources", others.map(otherLine).map(form.line)),
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

const partText = ({ heading, lines }: Part, form: Form): string => `${form.heading(heading)}\n\n${lines.join("\n")}`;

/** A file that is new or removed is shown as such, and a changed one with the keys that differ, as far as they are known. */
function programLine({ file, change, keys }: ProgramChange): string {
  const isWhole = keys.length === 0 && change !== "changed";
  const marks = isWhole ? [change] : limited(keys.map(safeName));
  return safeName(file) + parenthesized(marks.join(", "));
}

const signs: Readonly<Record<Op, string>> = { create: "+", update: "~", replace: "+-", delete: "-", import: "=" };

function otherLine({ type, counts }: OtherChanges): string {
  const ops = (Object.keys(signs) as Op[]).filter((op) => counts[op] !== undefined);
  return `${type}: ${ops.map((op) => `${op} ${counts[op]}`).join(", ")}`;
}

function terminal(report: Report, colors: boolean): string {
  const change = ({ op, risks, text, place }: Change): string => {
    const sign = signs[op].padEnd(2);
    const line = `${text}${parenthesized(place)}`;
    if (risks.length === 0) return `  ${sign} ${line}`;
    return `  ${styled(colors, ["red", "bold"], sign)} ${line}\n     ${styled(colors, "red", risks.join(", "))}`;
  };
  const form: Form = {
    heading: (text) => styled(colors, "bold", text),
    change,
    line: (text) => `     ${text}`,
  };
  const body = partsOf(report, form).map((part) => partText(part, form));
  return `${[styled(colors, "bold", titleOf(report)), ...body].join("\n\n")}\n`;
}

/** A comment on GitHub has at most 65,536 characters. The rest is for what a pipeline adds. */
const maxMarkdown = 64_000;
const maxDiff = 20_000;

/** The most characters of each section before the risks, so that half of the room is left for these. */
const maxBeforeRisks = 8_000;

/** The room for the line that says how many are left out. */
const maxRest = 100;

const markdownForm: Form = {
  heading: (text) => `#### ${text}`,
  change: changeLine,
  line: (text) => `- ${markdownOf(text)}`,
};

function markdown(report: Report, commit: string | undefined): string {
  const parts = [`### ${escapeMarkdown(titleOf(report))}`, ...headOf(report, commit)];
  const between = "\n\n";
  let room = maxMarkdown - parts.join(between).length - maxRest;
  for (const part of partsOf(report, markdownForm)) {
    const text = partText(fitted(part, Math.min(part.maxLength, room)), markdownForm);
    room -= text.length + between.length;
    parts.push(text);
  }
  parts.push(...diffOf(report, Math.min(room, maxDiff)));
  return `${parts.join(between)}\n`;
}

/** The part with as many lines as fit, and how many do not. */
function fitted(part: Part, room: number): Part {
  const { heading, lines } = part;
  const count = countFitting(lines, room - heading.length - maxRest);
  if (count === lines.length) return part;
  const left = `- and ${lines.length - count} more, which do not fit into a comment`;
  return { ...part, lines: [...lines.slice(0, count), left] };
}

/** How many of the texts fit, each with an end of line. */
function countFitting(texts: readonly string[], room: number): number {
  let left = room;
  for (const [index, text] of texts.entries()) {
    left -= text.length + 1;
    if (left < 0) return index;
  }
  return texts.length;
}

/** "Stack `dev` of `acme`, commit `0123456789ab`, at `https://api.example.com`". */
function headOf({ stack, project, addresses }: Report, commit: string | undefined): string[] {
  const parts = compact(
    stack !== "" && `stack ${safeCode(stack)} of ${safeCode(project)}`,
    commit !== undefined && `commit ${safeCode(commit.slice(0, 12))}`,
    addresses.length > 0 && `at ${addressList(addresses)}`,
  );
  const line = parts.join(", ");
  return line === "" ? [] : [line.charAt(0).toUpperCase() + line.slice(1)];
}

const maxAddresses = 10;

function addressList(addresses: readonly string[]): string {
  const left = addresses.length - maxAddresses;
  const shown = addresses.slice(0, maxAddresses).map(safeCode).join(", ");
  return left > 0 ? `${shown} and ${left} more` : shown;
}

function changeLine({ type, risks, text, id, place }: Change): string {
  const start = risks.length === 0 ? "- " : `- ${risks.map((risk) => `**${risk}**`).join(", ")}: `;
  const marks = compact(id !== "" && !isCalledByItsId(type) && id, place);
  return start + markdownOf(text) + parenthesized(marks.map(safeCode).join(", "));
}

/** The declared values, folded. */
function diffOf({ changes }: Report, room: number): string[] {
  const blocks = changes
    .filter(({ diff }) => diff.length > 0)
    .map(({ type, name, diff }) => [`${type} ${name}`, ...diff.map((line) => `  ${line}`)].join("\n"));
  if (blocks.length === 0) return [];
  const shown = blocks.slice(0, countFitting(blocks, room));
  const left = blocks.length - shown.length;
  const text = compact(...shown, left > 0 && `and ${left} more`).join("\n");
  // Longer than any run of backticks in the text, so that the text cannot end the block.
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const head = "<details>\n<summary>What is declared, before and after</summary>";
  return [head, `${fence}text\n${text}\n${fence}`, "</details>"];
}
