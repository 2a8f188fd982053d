/** The settings of a provider, from the configuration keys and environment variables. Only this file knows their names. */
import { compact } from "../values/any.js";
import { containsUnknown, unknownValue } from "../values/engine.js";
import { problem, type Diagnostic } from "../values/diagnostic.js";
import { given, type Environment } from "../values/environment.js";
import { ConfigError } from "../client/errors.js";
import { addressOf, settingsProblems, type ClientSettings } from "../client/settings.js";

/** The configuration keys, without the namespace "voiceplane:". `providerName` is written by an explicit Provider, never by users. */
export type SettingsKey = "baseUrl" | "token" | "organization" | "allowInsecureHttp" | "providerName";

export interface ProviderSettings {
  /** The organization's name: the explicit provider's name, else voiceplane:organization. Empty if neither is known. */
  readonly organization: string;
  /** The base URL in canonical spelling; empty where it is invalid or unknown. */
  readonly address: string;
  readonly client: ClientSettings;
  /** A sentence on where the token came from and what wins over it, for a request that is refused. */
  readonly tokenSource: string;
  readonly providerName?: string | undefined;
  /** What is missing or wrong, and where to set it. Empty if requests can be sent. */
  readonly problems: readonly Diagnostic[];
  /** The time that VOICEPLANE_NOW names in place of the machine's, for trials and tests. */
  readonly namedNow?: Date | undefined;
}

/** The first line of a message about settings; each problem has a line below it. */
export const settingsHeading = "the settings of voiceplane are not valid, and nothing was sent";

export const tokenKey = "voiceplane:token";

export const plainTokenProblem = problem(
  "plain-secret",
  "the token is in plain text in the stack's configuration, and would be in its state: " +
    "run `pulumi config set --secret voiceplane:token`, and have the platform revoke the old one if that file was shared",
);

/**
 * Reads the settings of one provider. The environment overrides the configuration, because refresh and destroy have the
 * configuration of the last update, and because pipelines set the address there. An explicit provider reads only variables
 * that end in its name, so that two organizations never share a token by accident.
 */
export function readSettings(read: (key: SettingsKey) => unknown, env: Environment): ProviderSettings {
  // Pipelines and templates set values that they do not have to the empty text.
  const configured = (key: SettingsKey) => given(textOfSetting(read(key)));
  const providerName = configured("providerName");
  const owner = ownerOf(providerName);
  const variableToken = given(env[owner.tokenVariable]);
  const baseUrl = given(env[owner.baseUrlVariable]) ?? configured("baseUrl") ?? "";
  const token = variableToken ?? configured("token") ?? "";
  const organization = providerName ?? configured("organization") ?? "";
  const allowInsecureHttp = configured("allowInsecureHttp");
  const client = { baseUrl, token, allowInsecureHttp: allowInsecureHttp === "true" };
  const missing = compact(
    baseUrl === "" && problem("base-url", `no base URL: ${owner.giveBaseUrl} or set ${owner.baseUrlVariable}`),
    token === "" && problem("token", `no token: ${owner.giveToken} or set ${owner.tokenVariable}`),
  );
  const namedNow = timeNamedIn(env);
  const problems = compact(
    ![undefined, "true", "false", unknownValue].includes(allowInsecureHttp) &&
      problem("setting-value", `${owner.prefix}allowInsecureHttp: must be true or false`),
    providerName !== undefined && providerNameProblem(providerName),
    ...missing,
    ...settingsProblems(client, env).filter(({ code }) => client[code === "token" ? "token" : "baseUrl"] !== ""),
    organization === "" && organizationMissing,
    namedNow === "wrong" && problem("setting-value", "VOICEPLANE_NOW must be a date, such as 2027-03-01"),
  );
  return {
    organization,
    address: URL.canParse(baseUrl) ? addressOf(baseUrl) : "",
    providerName,
    client,
    tokenSource:
      variableToken !== undefined
        ? `The token is from ${owner.tokenVariable}, which wins over the ${owner.name}.`
        : `The token is the one of the ${owner.name}, or of the state in a refresh or destroy. ${owner.tokenVariable} wins over it.`,
    problems: containsUnknown([baseUrl, token, allowInsecureHttp]) ? [] : problems,
    namedNow: namedNow === "wrong" ? undefined : namedNow,
  };
}

/** Who has the settings, and where a user sets them. */
function ownerOf(providerName: string | undefined) {
  if (providerName === undefined)
    return {
      name: "configuration",
      prefix: "voiceplane:",
      baseUrlVariable: "VOICEPLANE_BASE_URL",
      tokenVariable: "VOICEPLANE_TOKEN",
      giveBaseUrl: "run `pulumi config set voiceplane:baseUrl https://…`",
      giveToken: "run `pulumi config set --secret voiceplane:token`",
    };
  const name = `Provider "${providerName}"`;
  const ending = providerName.toUpperCase().replaceAll("-", "_");
  return {
    name,
    prefix: `the ${name}: `,
    baseUrlVariable: `VOICEPLANE_BASE_URL_${ending}`,
    tokenVariable: `VOICEPLANE_TOKEN_${ending}`,
    giveBaseUrl: `give the ${name} a baseUrl`,
    giveToken: `give the ${name} a token`,
  };
}

/** So that two names can never stand for one variable, which would send one organization's token to the address of another. */
export function providerNameProblem(name: string): Diagnostic | undefined {
  if (/^[a-z0-9-]+$/.test(name)) return undefined;
  return problem(
    "provider-name",
    "the name of a Provider has lower-case letters, digits and hyphens, and nothing else",
  );
}

export const organizationMissing = problem(
  "organization-missing",
  "no name of the organization: run `pulumi config set voiceplane:organization NAME`",
);

function timeNamedIn(env: Environment): Date | "wrong" | undefined {
  const text = given(env.VOICEPLANE_NOW);
  if (text === undefined) return undefined;
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/.test(text) && !Number.isNaN(Date.parse(text));
  return isTime ? new Date(text) : "wrong";
}

/** An explicit Provider may have values of any type. Those that are neither a text nor a flag are wrong, and count as a text that is. */
function textOfSetting(value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  return typeof value === "boolean" ? String(value) : "[not text]";
}

/**
 * Refuses a verb over a state if the organization is not known: the object would seem to be another organization's, and destroy would send nothing.
 *
 * @throws ConfigError
 */
export function requireOrganization({ organization, problems }: ProviderSettings): void {
  if (organization === "") throw new ConfigError(...(problems.length > 0 ? problems : [organizationMissing]));
}

/** What a preview refuses. It sends nothing, and so it needs no token. */
export const previewProblems = ({ problems, client }: ProviderSettings): readonly Diagnostic[] =>
  problems.filter(({ code }) => code !== "token" || client.token !== "");

/** The problems of a process without a stack, whose configuration is the only place for the organization's name. */
export const problemsWithoutStack = ({ problems }: ProviderSettings): readonly Diagnostic[] =>
  problems.filter(({ code }) => code !== organizationMissing.code);
