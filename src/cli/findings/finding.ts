/** What `voiceplane doctor` and `voiceplane validate` find, and how they print it. */
import { styleText } from "node:util";
import { markdownList } from "../markdown.js";
import { printableLine, redact } from "../../values/text.js";
import { secretsIn } from "../pulumi/project.js";

export interface Finding {
  /** Such as "engine" or "settings". */
  readonly check: string;
  readonly status: Status;
  /** Undefined for what is not in a file. */
  readonly place?: Place | undefined;
  /** Without the token. */
  readonly message: string;
  /** What to do, in sentences. */
  readonly advice?: string | undefined;
}

export type Status = keyof typeof colorOf;

/** The worst first. */
const colorOf = { failure: "red", warning: "yellow", ok: "green" } as const;

export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
}

const finding =
  (status: Status) =>
  (check: string, message: string, advice?: string, place?: Place): Finding => ({
    check,
    status,
    place,
    message: message.replace(/\.$/, ""),
    advice,
  });

export const ok = finding("ok");
export const warning = finding("warning");
export const failure = finding("failure");

export const isFailure = ({ status }: Finding): boolean => status === "failure";

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

/** "organization.yaml:2:23 retention.recordings.days: must be …" */
export function lineOf({ place, message, advice }: Finding): string {
  const where = [place?.file, place?.line, place?.column].filter((part) => part !== undefined).join(":");
  const what = [message, advice].filter((part) => part !== undefined).join(". ");
  return printableLine(where === "" ? what : `${where} ${what}`);
}

export const forms = ["terminal", "json", "markdown"] as const;

/** @param name of the command */
export function format(
  name: string,
  findings: readonly Finding[],
  form: (typeof forms)[number],
  colors: boolean,
): string {
  switch (form) {
    case "terminal":
      return [...findings.map((each) => row(each, colors)), "", summary(findings), ""].join("\n");
    case "markdown": {
      const lines = findings.map((each) => `${each.status} ${each.check}: ${lineOf(each)}`);
      return markdownList(`voiceplane ${name}: ${summary(findings)}`, lines);
    }
    case "json": {
      const objects = findings.map(({ place, ...rest }) => ({ ...place, ...rest }));
      // `version` grows if a reader of the old form would misread the new one. New members and checks do not change it.
      const document = { version: 1, ok: !findings.some(isFailure), findings: objects };
      return `${JSON.stringify(document, undefined, 2)}\n`;
    }
  }
}

function row(finding: Finding, colors: boolean): string {
  const { check, status } = finding;
  const word = status.padEnd(7);
  const shown = colors ? styleText(colorOf[status], word, { validateStream: false }) : word;
  return `${shown}  ${check.padEnd(12)}  ${lineOf(finding)}`;
}

/** "1 failure, 2 warnings, 9 ok" */
const summary = (findings: readonly Finding[]): string =>
  Object.keys(colorOf)
    .map((status) => ({ status, count: findings.filter((each) => each.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}${count > 1 && status !== "ok" ? "s" : ""}`)
    .join(", ");
