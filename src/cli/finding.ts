/** What `doctor` and `validate` find, and how they print it. */
import { compact } from "../values/any.js";
import type { Code } from "../values/codes.js";
import { placeText, problem, sentenceOf, warning, withCode, type Diagnostic } from "../values/diagnostic.js";
import { secretsOf, type Environment } from "../values/environment.js";
import { printableLine, redact } from "../values/text.js";
import { styled } from "./output.js";

/** What a check, such as "engine" or "settings", has found wrong or in order. */
export type Finding = { readonly check: string } & (Diagnostic | InOrder);

interface InOrder extends Pick<Diagnostic, "path" | "place" | "text" | "advice"> {
  readonly severity: "ok";
  readonly code?: undefined;
}

/** The colors of the severities. */
const colorOf = { problem: "red", warning: "yellow", ok: "green" } as const;

export const ok = (check: string, text: string, advice?: string): Finding => ({ check, severity: "ok", text, advice });

/** The text loses its full stop, because the advice follows as a sentence of its own. */
export const findingOf = (check: string, diagnostic: Diagnostic): Finding => ({
  check,
  ...diagnostic,
  text: diagnostic.text.replace(/\.$/, ""),
});

export const warningFinding = (check: string, code: Code, text: string, advice?: string): Finding =>
  findingOf(check, { ...warning(code, text), advice });

export const problemFinding = (check: string, code: Code, text: string, advice?: string): Finding =>
  findingOf(check, { ...problem(code, text), advice });

export const isProblem = ({ severity }: Finding): boolean => severity === "problem";

/** A line for each finding, without the secrets of the environment. */
export const formatFindings = (findings: readonly Finding[], colors: boolean, env: Environment): string =>
  redact(findings.map((each) => `${lineOf(each, colors)}\n`).join(""), secretsOf(env));

/** Such as "problem  organization  organization.yaml:2:23 retention.recordings.days: must be … [wrong-value]". */
function lineOf(finding: Finding, colors: boolean): string {
  const { check, severity, code, advice } = finding;
  const word = styled(colors, colorOf[severity], severity.padEnd(7));
  const what = compact(sentenceOf(finding), advice).join(". ");
  const line = [placeText(finding), code === undefined ? what : withCode(what, code)].join(" ").trim();
  return `${word}  ${check.padEnd(12)}  ${printableLine(line)}`;
}
