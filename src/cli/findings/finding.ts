/** What `voiceplane doctor` and `voiceplane validate` find, and how they print it. */
import { jsonDocument, markdownList, plural, styled, type OutputFormat } from "../output.js";
import { compact } from "../../values/any.js";
import type { Code } from "../../values/codes.js";
import { placeText, sentenceOf, withCode, type Diagnostic } from "../../values/diagnostic.js";
import type { Environment } from "../../values/environment.js";
import { printableLine, redact } from "../../values/text.js";
import { secretsIn } from "../pulumi/project.js";

/** What a check, such as "engine" or "settings", has found wrong or in order. */
export type Finding = { readonly check: string } & (Diagnostic | InOrder);

interface InOrder extends Pick<Diagnostic, "path" | "place" | "text" | "advice"> {
  readonly severity: "ok";
  readonly code?: undefined;
}

/** The colors of the severities, the worst first. */
const colorOf = { problem: "red", warning: "yellow", ok: "green" } as const;

export const ok = (check: string, text: string, advice?: string): Finding => ({ check, severity: "ok", text, advice });

/** The text loses its full stop, because the advice follows as a sentence of its own. */
export const findingOf = (check: string, diagnostic: Diagnostic): Finding => ({
  check,
  ...diagnostic,
  text: diagnostic.text.replace(/\.$/, ""),
});

export const warningFinding = (check: string, code: Code, text: string, advice?: string): Finding =>
  findingOf(check, { code, severity: "warning", text, advice });

export const problemFinding = (check: string, code: Code, text: string, advice?: string): Finding =>
  findingOf(check, { code, severity: "problem", text, advice });

export const isProblem = ({ severity }: Finding): boolean => severity === "problem";

/** The same findings, without the secrets of the environment and of the project that this folder is in. */
export function redacted(findings: readonly Finding[], env: Environment, folder: string): Finding[] {
  const secrets = secretsIn(folder, env);
  return findings.map((each) => ({
    ...each,
    path: (each.path ?? []).map((key) => redact(String(key), secrets)),
    place: each.place && { ...each.place, file: redact(each.place.file ?? "", secrets) },
    text: redact(each.text, secrets),
    advice: each.advice && redact(each.advice, secrets),
  }));
}

/** Such as "organization.yaml:2:23 retention.recordings.days: must be … [wrong-value]". */
export function findingLine(finding: Finding): string {
  const { code, advice } = finding;
  const where = placeText(finding);
  const what = compact(sentenceOf(finding), advice).join(". ");
  return printableLine((where === "" ? "" : `${where} `) + (code === undefined ? what : withCode(what, code)));
}

/** @param name of the command */
export function formatFindings(
  name: string,
  findings: readonly Finding[],
  format: OutputFormat,
  colors: boolean,
): string {
  switch (format) {
    case "terminal":
      return [...findings.map((each) => terminalLine(each, colors)), "", summary(findings), ""].join("\n");
    case "markdown": {
      const lines = findings.map((each) => `${each.severity} ${each.check}: ${findingLine(each)}`);
      return markdownList(`voiceplane ${name}: ${summary(findings)}`, lines);
    }
    case "json": {
      const objects = findings.map((each) => {
        const { check, severity: status, code, place, advice } = each;
        return { ...place, check, status, message: sentenceOf(each), advice, code };
      });
      return jsonDocument({ version: 1, ok: !findings.some(isProblem), findings: objects });
    }
  }
}

function terminalLine(finding: Finding, colors: boolean): string {
  const { check, severity } = finding;
  const word = styled(colors, colorOf[severity], severity.padEnd(7));
  return `${word}  ${check.padEnd(12)}  ${findingLine(finding)}`;
}

/** Such as "1 problem, 2 warnings, 9 ok". */
const summary = (findings: readonly Finding[]): string =>
  Object.keys(colorOf)
    .map((severity) => ({ severity, count: findings.filter((each) => each.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => (severity === "ok" ? `${count} ok` : plural(count, severity)))
    .join(", ");
