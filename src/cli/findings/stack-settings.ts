/** What is wrong with settings: in Pulumi's files, with lines and without decryption, and in the environment. */
import { readFileSync } from "node:fs";
import { LineCounter, isMap, isScalar } from "yaml";
import type { Environment } from "../../values.js";
import { settingsProblems, tokenProblem } from "../../client/settings.js";
import { decodeUtf8, notUtf8, parseYaml } from "../../organization-file/document.js";
import { plainTokenProblem, settingNames } from "../../provider/settings.js";
import { suggestion } from "../../resources/suggestion.js";
import { failure, type Finding, type Place } from "./finding.js";

/** In the order of the file's lines. */
export function checkStackFile(file: StackFile, allowInsecureHttp: boolean): Finding[] {
  const insecure = allowInsecureHttp || allowsInsecureHttp(file);
  const found = [...file.values].flatMap(([key, value]) =>
    checkValue(key, value, insecure).map((each) => ({ ...each, place: value.place })),
  );
  return [...file.findings, ...found].sort(byPlace);
}

const byPlace = ({ place: a }: Finding, { place: b }: Finding): number =>
  (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);

/** A value of the configuration, by its key without "voiceplane:". */
export function checkValue(key: string, { text, secret }: Setting, allowInsecureHttp: boolean): Finding[] {
  const wrong = (reason: string): Finding => failure("settings", `${namespace}${key}: ${reason}`);
  // A user's program may have settings in this namespace: only a misspelled name is a problem.
  const meant = settingNames.includes(key) ? "" : suggestion(key, settingNames);
  if (meant !== "") return [wrong(`there is no such setting${meant}`)];
  if (text === "" || (secret && text === undefined)) return [];
  switch (key) {
    case "token":
      return secret ? checkToken(`${namespace}token`, text ?? "") : [wrong(plainTokenProblem)];
    case "baseUrl":
      return text === undefined ? [wrong("must be text")] : checkUrl(`${namespace}baseUrl`, text, allowInsecureHttp);
    case "allowInsecureHttp":
      return text === "true" || text === "false" ? [] : [wrong("must be true or false")];
    default:
      return [];
  }
}

export const allowsInsecureHttp = ({ values }: StackFile): boolean => values.get("allowInsecureHttp")?.text === "true";

/** The variables of the default provider, and those of explicit ones, which end in the label. */
export function checkEnvironment(env: Environment, allowInsecureHttp: boolean): Finding[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    if (value === "") return [];
    if (/^VOICEPLANE_BASE_URL(_\w+)?$/.test(name)) return checkUrl(name, value, allowInsecureHttp);
    return /^VOICEPLANE_TOKEN(_\w+)?$/.test(name) ? checkToken(name, value) : [];
  });
}

/** @param name of the setting or variable */
const checkUrl = (name: string, baseUrl: string, allowInsecureHttp: boolean): Finding[] =>
  settingsProblems({ baseUrl, token: "unused", allowInsecureHttp }).map((problem) => wrongIn(name, problem));

/** What was pasted along with the token and does not belong to it; otherwise why it cannot be sent. Never shows the token. */
function checkToken(name: string, token: string): Finding[] {
  const text = token.trim();
  const quoted = /^(["'`])(.*)\1$/s.exec(text)?.[2];
  const found: Finding[] = [];
  if (/^(authorization:\s*)?bearer(\s|$)/i.test(quoted ?? text)) {
    const advice = "Remove that word and the space behind it: it is added to every request.";
    found.push(wrongIn(name, 'the token begins with "Bearer"', advice));
  }
  if (quoted !== undefined) {
    const advice = "Remove them: a shell removes them, but files of variables and the settings of pipelines keep them.";
    found.push(wrongIn(name, "the token is in quotes", advice));
  }
  if (/[\r\n]\s*$/.test(token)) {
    const advice = 'Remove it: "$(cat FILE)" drops it, and `printf %s` writes none.';
    found.push(wrongIn(name, "the token ends with a line end", advice));
  }
  const problem = found.length > 0 ? undefined : tokenProblem(token);
  return problem === undefined ? found : [wrongIn(name, problem)];
}

const wrongIn = (name: string, problem: string, advice?: string): Finding =>
  failure("settings", `${name}: ${problem.replace(/\.$/, "")}`, advice);

/** A value of the configuration. */
export interface Setting {
  readonly secret: boolean;
  /** Undefined for a secret that is not decrypted, a map or a list. */
  readonly text: string | undefined;
}

interface PlacedSetting extends Setting {
  readonly place: Place;
}

export interface StackFile {
  readonly name: string;
  /** By key, without "voiceplane:". */
  readonly values: ReadonlyMap<string, PlacedSetting>;
  /** Whether environments of Pulumi ESC add values. */
  readonly imports: boolean;
  /** Why it, or a part of it, cannot be read. */
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
  const values = new Map<string, PlacedSetting>();
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
  // The message of the YAML parser may repeat a part of a token.
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
