import { styleText } from "node:util";
import type { Change } from "./changes.js";
import type { Report } from "./describe.js";
import type { Op } from "./read.js";
import { sections } from "./sections.js";

/** The engine's own signs. */
const signs: Readonly<Record<Op, string>> = { create: "+", update: "~", replace: "+-", delete: "-", import: "=" };

export function terminal(report: Report, colors: boolean): string {
  const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
    colors ? styleText(style, text, { validateStream: false }) : text;
  const change = ({ op, risks, text, place }: Change): string => {
    const where = place === undefined ? "" : ` (${place})`;
    const sign = signs[op].padEnd(2);
    if (risks.length === 0) return `  ${sign} ${text}${where}`;
    return `  ${styled(["red", "bold"], sign)} ${text}${where}\n     ${styled("red", risks.join(", "))}`;
  };
  const body = sections(report, {
    heading: (text) => styled("bold", text),
    change,
    other: (text) => `     ${text}`,
    error: (text) => `     ${text}`,
  });
  return `${[styled("bold", `voiceplane: ${report.summary}`), ...body].join("\n\n")}\n`;
}
