import { styleText } from "node:util";
import { statuses, type Finding, type Status } from "./finding.js";

export const formats = ["terminal", "json"] as const;
export type Format = (typeof formats)[number];

/** @param colors whether the terminal form may have them */
export function format(findings: readonly Finding[], form: Format, colors: boolean): string {
  return form === "json" ? json(findings) : terminal(findings, colors);
}

export const countOf = (findings: readonly Finding[], status: Status): number =>
  findings.filter((finding) => finding.status === status).length;

/** `version` grows when a reader of the old form would go wrong; new members and checks do not change it. */
function json(findings: readonly Finding[]): string {
  return `${JSON.stringify({ version: 1, ok: countOf(findings, "failure") === 0, findings }, undefined, 2)}\n`;
}

const colorOf = { ok: "green", warning: "yellow", failure: "red" } as const;

function terminal(findings: readonly Finding[], colors: boolean): string {
  const lines = findings.map(({ check, status, message, advice }) => {
    const word = status.padEnd(7);
    const shown = colors ? styleText(colorOf[status], word, { validateStream: false }) : word;
    return oneLine(`${shown}  ${check.padEnd(12)}  ${message}${advice === undefined ? "" : `. ${advice}`}`);
  });
  return [...lines, "", summary(findings), ""].join("\n");
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");

/** "1 failure, 2 warnings, 9 ok": what is worst comes first, and what there is none of is left out. */
function summary(findings: readonly Finding[]): string {
  return statuses
    .toReversed()
    .map((status) => ({ status, count: countOf(findings, status) }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}${count > 1 && status !== "ok" ? "s" : ""}`)
    .join(", ");
}
