/** The findings of `voiceplane doctor`, one for each thing that was checked, and how they are printed. */
import { styleText } from "node:util";
import { printableLine } from "../client/printable.js";

export const checks = [
  "node",
  "engine",
  "project",
  "sdk",
  "typescript",
  "package",
  "entry",
  "plugin",
  "organization",
  "settings",
  "address",
  "proxy",
  "tls",
  "clock",
  "server",
  "token",
  "scopes",
] as const;
export type Check = (typeof checks)[number];

export const statuses = ["ok", "warning", "failure"] as const;
export type Status = (typeof statuses)[number];

export interface Finding {
  readonly check: Check;
  readonly status: Status;
  /** Never holds the token. */
  readonly message: string;
  /** What to do about it, in sentences. */
  readonly advice?: string | undefined;
}

type Make = (check: Check, message: string, advice?: string) => Finding;

const finding = (status: Status): Make => {
  return (check, message, advice) => ({ check, status, message, ...(advice !== undefined && { advice }) });
};

export const ok = finding("ok");
export const warning = finding("warning");
export const failure = finding("failure");

/** @param colors whether the terminal form has them */
export function format(findings: readonly Finding[], form: "terminal" | "json", colors: boolean): string {
  return form === "json" ? json(findings) : terminal(findings, colors);
}

export const countOf = (findings: readonly Finding[], status: Status): number =>
  findings.filter((finding) => finding.status === status).length;

/** `version` grows if a reader of the old form would misread the new one. New members and checks do not change it. */
function json(findings: readonly Finding[]): string {
  return `${JSON.stringify({ version: 1, ok: countOf(findings, "failure") === 0, findings }, undefined, 2)}\n`;
}

const colorOf = { ok: "green", warning: "yellow", failure: "red" } as const;

function terminal(findings: readonly Finding[], colors: boolean): string {
  const lines = findings.map(({ check, status, message, advice }) => {
    const word = status.padEnd(7);
    const shown = colors ? styleText(colorOf[status], word, { validateStream: false }) : word;
    return `${shown}  ${check.padEnd(12)}  ${printableLine(`${message}${advice === undefined ? "" : `. ${advice}`}`)}`;
  });
  return [...lines, "", summary(findings), ""].join("\n");
}

/** "1 failure, 2 warnings, 9 ok": the worst first, without those that have none. */
function summary(findings: readonly Finding[]): string {
  return statuses
    .toReversed()
    .map((status) => ({ status, count: countOf(findings, status) }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}${count > 1 && status !== "ok" ? "s" : ""}`)
    .join(", ");
}
