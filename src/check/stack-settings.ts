/** The settings in the environment and in Pulumi's files, and what is wrong with them. Nothing is decrypted. */
import { readFileSync } from "node:fs";
import { LineCounter, isMap, isScalar } from "yaml";
import { settingsProblems, tokenProblem } from "../client/settings.js";
import { decodeUtf8, notUtf8, parseYaml } from "../organization-file/document.js";
import { pastedAlong } from "./token.js";
import { suggestion } from "./suggestion.js";
import { byPlace, type Problem } from "./problem.js";

type Environment = Readonly<Record<string, string | undefined>>;

const known = ["baseUrl", "token", "account", "allowInsecureHttp", "organizationFile"];

/** All problems of the settings in a file. */
export function stackFileProblems({ name, values, problems }: StackFile): Problem[] {
  const insecure = allowsInsecureHttp(values);
  const found = [...values].flatMap(([key, value]) =>
    valueProblems(key, value, insecure).map((reason) => {
      const { line, column } = value;
      return { file: name, line, column, message: `${namespace}${key}: ${reason}` };
    }),
  );
  return [...problems, ...found].sort(byPlace);
}

const plainToken =
  "the token is in plain text: run `pulumi config set --secret voiceplane:token`, and have the platform revoke this one";

function valueProblems(key: string, { text, secret }: StackValue, allowInsecureHttp: boolean): string[] {
  const misspelled = misspelledSetting(key);
  if (misspelled !== undefined) return [misspelled];
  if (secret || text === "") return [];
  switch (key) {
    case "token":
      return [plainToken];
    case "baseUrl":
      return text === undefined ? ["must be text"] : urlProblems(text, allowInsecureHttp);
    case "allowInsecureHttp":
      return text === "true" || text === "false" ? [] : ["must be true or false"];
    default:
      return [];
  }
}

/** A user's program may have settings in this namespace: only a misspelled name is a problem. */
export function misspelledSetting(key: string): string | undefined {
  const meant = known.includes(key) ? "" : suggestion(key, known);
  return meant === "" ? undefined : `there is no such setting${meant}`;
}

export const allowsInsecureHttp = (values: StackFile["values"]): boolean =>
  values.get("allowInsecureHttp")?.text === "true";

/** The variables of the default provider, and those of explicit ones, which end in the label. */
export function environmentProblems(env: Environment, allowInsecureHttp: boolean): Problem[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    if (value === "") return [];
    const reasons = /^VOICEPLANE_BASE_URL(_\w+)?$/.test(name)
      ? urlProblems(value, allowInsecureHttp)
      : /^VOICEPLANE_TOKEN(_\w+)?$/.test(name)
        ? tokenProblems(value)
        : [];
    return reasons.map((reason) => ({ message: `${name}: ${reason}` }));
  });
}

const urlProblems = (baseUrl: string, allowInsecureHttp: boolean): string[] =>
  settingsProblems({ baseUrl, token: "unused", allowInsecureHttp });

function tokenProblems(token: string): string[] {
  const pasted = pastedAlong(token).map(({ message, advice }) => `${message}. ${advice}`);
  return pasted.length > 0 ? pasted : [tokenProblem(token) ?? []].flat();
}

interface StackValue {
  readonly line: number;
  readonly column: number;
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
  readonly problems: readonly Problem[];
}

const namespace = "voiceplane:";

/** @param path of Pulumi.yaml or Pulumi.<stack>.yaml, or the same as JSON */
export function readStackFile(path: string, name: string): StackFile {
  const text = decodeUtf8(readFileSync(path));
  if (typeof text !== "string") {
    return {
      name,
      values: new Map(),
      imports: false,
      problems: [{ file: name, ...text, message: `the file ${notUtf8}` }],
    };
  }
  const lines = new LineCounter();
  const { document, problems: syntax } = parseYaml(text, lines);
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const values = new Map<string, StackValue>();
  const config = document?.get("config");
  for (const { key, value } of isMap(config) ? config.items : []) {
    if (!isScalar(key) || !String(key.value).startsWith(namespace)) continue;
    const secret = isMap(value) && value.has("secure");
    const plain = isMap(value) && !secret ? value.get("value", true) : value;
    values.set(String(key.value).slice(namespace.length), {
      ...placeOf(key.range?.[0] ?? 0),
      text: textOf(plain),
      secret,
    });
  }
  // The parser's own words may repeat a part of a token.
  const problems = syntax.map(({ offset }) => ({ file: name, ...placeOf(offset), message: "is not valid YAML here" }));
  return { name, values, imports: document?.has("environment") === true, problems };
}

function textOf(node: unknown): string | undefined {
  const value: unknown = isScalar(node) ? node.value : undefined;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}
