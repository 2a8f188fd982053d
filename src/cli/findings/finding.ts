/** What `voiceplane doctor` and `voiceplane validate` find, and how both print it. */
import { styleText } from "node:util";
import { markdownList } from "../markdown.js";
import { printableLine, redact } from "../../values/text.js";
import { secretsIn } from "../pulumi/project.js";
import { andMore } from "../../resources/problems.js";

export const checks = [
  "node",
  "engine",
  "proxy",
  "project",
  "sdk",
  "typescript",
  "package",
  "plugin",
  "stack",
  "organization",
  "settings",
  "address",
  "state",
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
  /** Undefined for what is not in a file. */
  readonly place?: Place | undefined;
  /** Without the token. */
  readonly message: string;
  /** What to do, in sentences. */
  readonly advice?: string | undefined;
}

export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
}

const finding =
  (status: Status) =>
  (check: Check, message: string, advice?: string, place?: Place): Finding => ({
    check,
    status,
    place,
    message,
    advice,
  });

export const ok = finding("ok");
export const warning = finding("warning");
export const failure = finding("failure");

/** The same findings, without the secrets of the environment and of the project that this folder is in. */
export function redacted(findings: readonly Finding[], env: NodeJS.ProcessEnv, folder: string): Finding[] {
  const secrets = secretsIn(folder, env);
  return findings.map(({ place, message, advice, ...rest }) => ({
    ...rest,
    place: place && { ...place, file: redact(place.file, secrets) },
    message: redact(message, secrets),
    advice: advice && redact(advice, secrets),
  }));
}

export const countOf = (findings: readonly Finding[], status: Status): number =>
  findings.filter((finding) => finding.status === status).length;

/** "organization.yaml:2:23 retention.recordings.days: must be …" */
function withPlace({ place, message }: Finding): string {
  if (!place) return message;
  return `${[place.file, place.line, place.column].filter((part) => part !== undefined).join(":")} ${message}`;
}

const withAdvice = (text: string, { advice }: Finding): string => (advice === undefined ? text : `${text}. ${advice}`);

export const lineOf = (finding: Finding): string => printableLine(withAdvice(withPlace(finding), finding));

export const forms = ["terminal", "json", "markdown"] as const;
export type Form = (typeof forms)[number];

/** All findings, as `voiceplane doctor` prints them. */
export function format(findings: readonly Finding[], form: Form, colors: boolean): string {
  if (form === "terminal") return [...findings.map((each) => row(each, colors)), "", summary(findings), ""].join("\n");
  if (form === "markdown") {
    const lines = findings.map((each) => `${each.status} ${each.check}: ${lineOf(each)}`);
    return markdownList(`voiceplane doctor: ${summary(findings)}`, lines);
  }
  const objects = findings.map((each) => ({ ...each, place: undefined, message: withPlace(each) }));
  return json(findings, { findings: objects });
}

/** What `voiceplane validate` read and found. */
export interface Validation {
  readonly checked: readonly string[];
  readonly findings: readonly Finding[];
  /** The number of problems beyond these. */
  readonly more: number;
  /** What was not checked, because only the engine knows it. */
  readonly unchecked: readonly string[];
}

/** The failures alone, as `voiceplane validate` prints them. */
export function formatFailures({ checked, findings, more, unchecked }: Validation, form: Form): string {
  const failures = findings.filter(({ status }) => status === "failure");
  if (form === "json") {
    const problems = failures.map((each) => ({ ...each.place, message: withAdvice(each.message, each) }));
    return json(failures, { checked, problems, more, unchecked });
  }
  const found = failures.length + more;
  const count = found === 1 ? "1 problem" : `${found === 0 ? "no" : found.toLocaleString("en")} problems`;
  const problems = [...failures.map(lineOf), ...(more > 0 ? [andMore(more)] : [])];
  const total = `${count} in ${checked.length > 0 ? checked.join(", ") : "the environment alone"}`;
  const left = unchecked.map((what) => `not checked: ${what}`);
  if (form === "markdown") return markdownList(`voiceplane validate: ${total}`, [...problems, ...left]);
  return [...problems, total, ...left].map((line) => `${printableLine(line)}\n`).join("");
}

/** `version` grows if a reader of the old form would misread the new one. New members and checks do not change it. */
function json(findings: readonly Finding[], members: object): string {
  return `${JSON.stringify({ version: 1, ok: countOf(findings, "failure") === 0, ...members }, undefined, 2)}\n`;
}

const colorOf = { ok: "green", warning: "yellow", failure: "red" } as const;

function row(finding: Finding, colors: boolean): string {
  const { check, status } = finding;
  const word = status.padEnd(7);
  const shown = colors ? styleText(colorOf[status], word, { validateStream: false }) : word;
  return `${shown}  ${check.padEnd(12)}  ${lineOf(finding)}`;
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
