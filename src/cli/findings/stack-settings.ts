/** What is wrong with settings: in Pulumi's files, with lines and without decryption, and in the environment. */
import type { Environment } from "../../values/environment.js";
import { settingsProblems, tokenProblem } from "../../client/settings.js";
import { notUtf8, type Place } from "../../organization-file/document.js";
import { type Configuration, namespace, type Setting } from "../pulumi/configuration.js";
import { plainTokenProblem, settingNames } from "../../provider/settings.js";
import { suggestion } from "../../resources/suggestion.js";
import { failure, type Finding } from "./finding.js";

/** In the order of the file's lines. @param name the file's name in the findings */
export function checkStackFile(file: Configuration, name: string, allowInsecureHttp: boolean): Finding[] {
  const { values, wrongByte, wrongSyntax } = file;
  const insecure = allowInsecureHttp || allowsInsecureHttp(file);
  const placed = (finding: Finding, place: Place): Finding => ({ ...finding, place: { file: name, ...place } });
  const found = [...values].flatMap(([key, value]) =>
    (key.startsWith(namespace) ? checkValue(key.slice(namespace.length), value, insecure) : []).map((each) =>
      placed(each, value.place),
    ),
  );
  const ofBytes = wrongByte ? [placed(failure("settings", `the file ${notUtf8}`), wrongByte)] : [];
  // The message of the YAML parser may repeat a part of a token.
  const ofSyntax = wrongSyntax.map((place) => placed(failure("settings", "is not valid YAML here"), place));
  return [...ofBytes, ...ofSyntax, ...found].sort(byPlace);
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

export const allowsInsecureHttp = ({ values }: Configuration): boolean =>
  values.get(`${namespace}allowInsecureHttp`)?.text === "true";

/** The variables of the default provider, and those of explicit ones, which end in its name. */
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
