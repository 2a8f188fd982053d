/** What `doctor` and `validate` find, and how they print it. */
import { compact } from "../values/any.js";
import type { Code } from "../values/codes.js";
import { placeText, problem, sentenceOf, warning, withCode, type Diagnostic } from "../values/diagnostic.js";
import { secretsOf, type Environment } from "../values/environment.js";
import { printableLine, redact } from "../values/text.js";
import { jsonDocument, plural, styled, type OutputFormat } from "./output.js";

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
  findingOf(check, { ...warning(code, text), advice });

export const problemFinding = (check: string, code: Code, text: string, advice?: string): Finding =>
  findingOf(check, { ...problem(code, text), advice });

export const isProblem = ({ severity }: Finding): boolean => severity === "problem";

/** The findings, without the secrets of the environment. */
export function formatFindings(
  findings: readonly Finding[],
  { format, colors, env }: { format: OutputFormat; colors: boolean; env: Environment },
): string {
  const secrets = secretsOf(env);
  if (format === "json") {
    const objects = findings.map((each) => {
      const { check, severity: status, code, place, advice } = each;
      return { ...place, check, status, message: sentenceOf(each), advice, code };
    });
    return redact(jsonDocument({ version: 1, ok: !findings.some(isProblem), findings: objects }), secrets);
  }
  const lines = findings.map((each) => terminalLine(each, colors));
  return redact([...lines, "", summary(findings), ""].join("\n"), secrets);
}

/** Such as "problem  organization  organization.yaml:2:23 retention.recordings.days: must be … [wrong-value]". */
function terminalLine(finding: Finding, colors: boolean): string {
  const { check, severity, code, advice } = finding;
  const word = styled(colors, colorOf[severity], severity.padEnd(7));
  const what = compact(sentenceOf(finding), advice).join(". ");
  const line = [placeText(finding), code === undefined ? what : withCode(what, code)].join(" ").trim();
  return `${word}  ${check.padEnd(12)}  ${printableLine(line)}`;
}

/** Such as "1 problem, 2 warnings, 9 ok". */
const summary = (findings: readonly Finding[]): string =>
  Object.keys(colorOf)
    .map((severity) => ({ severity, count: findings.filter((each) => each.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => (severity === "ok" ? `${count} ok` : plural(count, severity)))
    .join(", ");
