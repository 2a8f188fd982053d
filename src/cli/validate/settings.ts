/** What is wrong with settings as far as the environment and plain values tell. */
import { settingsProblems, tokenProblem } from "../../client/settings.js";
import { suggestion } from "../suggest.js";
import { pastedAlong } from "../token-advice.js";
import { byPlace, type Problem } from "./problem.js";
import { namespace, type StackFile, type StackValue } from "./stack-file.js";

type Environment = Readonly<Record<string, string | undefined>>;

const known = ["baseUrl", "token", "account", "allowInsecureHttp", "organizationFile"];

/** All problems of a file's own settings. */
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
  // The namespace may hold settings of a user's program too: only what looks like a slip is one.
  const meant = known.includes(key) ? "" : suggestion(key, known);
  if (meant !== "") return [`there is no such setting${meant}`];
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

export const allowsInsecureHttp = (values: StackFile["values"]): boolean =>
  values.get("allowInsecureHttp")?.text === "true";

/** All problems of the variables: those of the default provider, and those that end in the label of an explicit one. */
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

/** The token of a request that is not made. */
const anyToken = "token";

const urlProblems = (baseUrl: string, allowInsecureHttp: boolean): string[] =>
  settingsProblems({ baseUrl, token: anyToken, allowInsecureHttp });

function tokenProblems(token: string): string[] {
  const pasted = pastedAlong(token).map(({ message, advice }) => `${message}. ${advice}`);
  return pasted.length > 0 ? pasted : [tokenProblem(token) ?? []].flat();
}
