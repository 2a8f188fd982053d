/** The settings in the environment and in Pulumi's files, and what is wrong with them. Nothing is decrypted. */
import { readFileSync } from "node:fs";
import { LineCounter, isMap, isScalar } from "yaml";
import { settingsProblems, tokenProblem } from "../client/settings.js";
import { decodeUtf8, notUtf8, parseYaml } from "../organization-file/document.js";
import { plainTokenProblem } from "../provider/settings.js";
import { failure, type Finding, type Place } from "./finding.js";
import { suggestion } from "./suggestion.js";
import { checkPastedToken } from "./token.js";

const known = ["baseUrl", "token", "account", "allowInsecureHttp", "organizationFile"];

/** In the order of the file's lines. */
export function checkStackFile(file: StackFile): Finding[] {
  const insecure = allowsInsecureHttp(file);
  const found = [...file.values].flatMap(([key, value]) =>
    checkValue(key, value, insecure).map((each) => named(namespace + key, { ...each, place: value.place })),
  );
  return [...file.findings, ...found].sort(byPlace);
}

const byPlace = ({ place: a }: Finding, { place: b }: Finding): number =>
  (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);

const named = (name: string, finding: Finding): Finding => ({ ...finding, message: `${name}: ${finding.message}` });

const wrong = (reason: string): Finding => failure("settings", reason);

function checkValue(key: string, { text, secret }: StackValue, allowInsecureHttp: boolean): Finding[] {
  const misspelled = misspelledSetting(key);
  if (misspelled !== undefined) return [wrong(misspelled)];
  if (secret || text === "") return [];
  switch (key) {
    case "token":
      return [wrong(plainTokenProblem)];
    case "baseUrl":
      return text === undefined ? [wrong("must be text")] : checkUrl(text, allowInsecureHttp);
    case "allowInsecureHttp":
      return text === "true" || text === "false" ? [] : [wrong("must be true or false")];
    default:
      return [];
  }
}

/** A user's program may have settings in this namespace: only a misspelled name is a problem. */
export function misspelledSetting(key: string): string | undefined {
  const meant = known.includes(key) ? "" : suggestion(key, known);
  return meant === "" ? undefined : `there is no such setting${meant}`;
}

export const allowsInsecureHttp = ({ values }: StackFile): boolean => values.get("allowInsecureHttp")?.text === "true";

/** The variables of the default provider, and those of explicit ones, which end in the label. */
export function checkEnvironment(env: NodeJS.ProcessEnv, allowInsecureHttp: boolean): Finding[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    if (value === "") return [];
    const found = /^VOICEPLANE_BASE_URL(_\w+)?$/.test(name)
      ? checkUrl(value, allowInsecureHttp)
      : /^VOICEPLANE_TOKEN(_\w+)?$/.test(name)
        ? checkToken(value)
        : [];
    return found.map((each) => named(name, each));
  });
}

const checkUrl = (baseUrl: string, allowInsecureHttp: boolean): Finding[] =>
  settingsProblems({ baseUrl, token: "unused", allowInsecureHttp }).map(wrong);

function checkToken(token: string): Finding[] {
  const pasted = checkPastedToken(token);
  const problem = pasted.length > 0 ? undefined : tokenProblem(token);
  return problem === undefined ? pasted : [wrong(problem)];
}

interface StackValue {
  readonly place: Place;
  /** Undefined for a secret, a map or a list. */
  readonly text: string | undefined;
  readonly secret: boolean;
}

export interface StackFile {
  readonly name: string;
  /** By key, without "voiceplane:". */
  readonly values: ReadonlyMap<string, StackValue>;
  /** Whether environments of Pulumi ESC add values. */
  readonly imports: boolean;
  /** Why it cannot be read, or not wholly. */
  readonly findings: readonly Finding[];
}

const namespace = "voiceplane:";

/** @param path of Pulumi.yaml or Pulumi.<stack>.yaml, or the same as JSON */
export function readStackFile(path: string, name: string): StackFile {
  const text = decodeUtf8(readFileSync(path));
  if (typeof text !== "string") {
    const findings = [failure("settings", `the file ${notUtf8}`, undefined, { file: name, ...text })];
    return { name, values: new Map(), imports: false, findings };
  }
  const lines = new LineCounter();
  const { document, problems: syntax } = parseYaml(text, lines);
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file: name, line, column: col };
  };
  const values = new Map<string, StackValue>();
  const config = document?.get("config");
  for (const { key, value } of isMap(config) ? config.items : []) {
    if (!isScalar(key) || !String(key.value).startsWith(namespace)) continue;
    const secret = isMap(value) && value.has("secure");
    const plain = isMap(value) && !secret ? value.get("value", true) : value;
    values.set(String(key.value).slice(namespace.length), {
      place: placeOf(key.range?.[0] ?? 0),
      text: textOf(plain),
      secret,
    });
  }
  // The parser's own words may repeat a part of a token.
  const findings = syntax.map(({ offset }) =>
    failure("settings", "is not valid YAML here", undefined, placeOf(offset)),
  );
  return { name, values, imports: document?.has("environment") === true, findings };
}

function textOf(node: unknown): string | undefined {
  const value: unknown = isScalar(node) ? node.value : undefined;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}
