import type { Change } from "./changes.js";
import type { Report } from "./describe.js";
import { sections } from "./sections.js";
import { code, escapeMarkdown, markdownOf, plain } from "./text.js";

/** What is beyond fits into no comment: GitHub takes 65,536 characters. */
const maxDiff = 20_000;

export function markdown(report: Report, commit: string | undefined): string {
  const body = sections(report, {
    heading: (text) => `#### ${text}`,
    change: changeLine,
    other: (text) => `- ${markdownOf(text)}`,
    error: (text) => `- ${markdownOf(withLineToAdd(text))}`,
  });
  const parts = [
    `### voiceplane: ${escapeMarkdown(report.summary)}`,
    ...headOf(report, commit),
    ...body,
    ...diffOf(report),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Which stack, which commit, where: "Stack `dev` of `acme`, commit `0123456789ab`, at `https://api.example.com`". */
function headOf({ stack, project, addresses }: Report, commit: string | undefined): string[] {
  const parts = [
    ...(stack === "" ? [] : [`stack ${inCode(stack)} of ${inCode(project)}`]),
    ...(commit === undefined ? [] : [`commit ${inCode(commit.slice(0, 12))}`]),
    ...(addresses.length === 0 ? [] : [`at ${addresses.map(inCode).join(", ")}`]),
  ];
  const line = parts.join(", ");
  return line === "" ? [] : [line.charAt(0).toUpperCase() + line.slice(1)];
}

function changeLine({ type, risks, text, id, place }: Change): string {
  const labels = risks.map((risk) => `**${risk}**`).join(", ");
  // The id of a retention policy is the kind of data, which the sentence has.
  const marks = [...(id === "" || type === "RetentionPolicy" ? [] : [id]), ...(place === undefined ? [] : [place])];
  const where = marks.length === 0 ? "" : ` (${marks.map(inCode).join(", ")})`;
  return `- ${labels === "" ? "" : `${labels}: `}${markdownOf(text)}${where}`;
}

/** Own messages end with what to write. */
function withLineToAdd(text: string): string {
  return text.replaceAll(/(?<!`)allowShortening: \{ from: \d+, to: \d+ \}(?!`)/g, code);
}

function inCode(text: string): string {
  return code(plain(text));
}

/** Folded: the values themselves, for who wants to see them. */
function diffOf({ changes }: Report): string[] {
  const blocks = changes
    .filter(({ diff }) => diff.length > 0)
    .map(({ type, name, diff }) => [`${type} ${name}`, ...diff.map((line) => `  ${line}`)].join("\n"));
  if (blocks.length === 0) return [];
  const shown = blocks.filter((_, index) => blocks.slice(0, index + 1).join("\n").length <= maxDiff);
  const left = blocks.length - shown.length;
  const text = [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join("\n");
  // Longer than any run of backticks within: nothing that is shown can end the block.
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const lines = [
    "<details>",
    "<summary>What is declared, before and after</summary>",
    "",
    `${fence}text`,
    text,
    fence,
    "",
    "</details>",
  ];
  return [lines.join("\n")];
}
