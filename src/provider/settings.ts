/** The settings of a provider, from the configuration keys and environment variables. Only this file and `unread-names.ts` know their names. */
import { compact } from "../values/any.js";
import { containsUnknown, unknownValue } from "../values/engine.js";
import { problem, type Diagnostic } from "../values/diagnostic.js";
import { given, type Environment } from "../values/environment.js";
import { invisibleIn, printable } from "../values/text.js";
import { ConfigError } from "../client/errors.js";
import { addressOf, settingsProblems, type ClientSettings } from "../client/settings.js";
import type { EngineRun } from "../lifecycle/context.js";
import type { NoteOf } from "../lifecycle/notes.js";
import { stateFolderProblem } from "../machine.js";
import { unreadIn, valueKeys, type ConfiguredNames, type ValueKey } from "./unread-names.js";

/** The configuration keys, without the namespace "voiceplane:". `providerName` is written by an explicit Provider, never by users. */
export type SettingsKey = ValueKey | "providerName";

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
  /** Configured names that are not read and look misspelt, other than those among the problems. */
  readonly warnings: readonly Diagnostic[];
}

/** The first line of a message about settings; each problem has a line below it. */
export const settingsHeading = "the settings of voiceplane are not valid, and nothing was sent";

export const tokenKey = "voiceplane:token";

export const plainTokenProblem = problem(
  "token-plain",
  "the token is in plain text in the stack's configuration, and would be in its state: " +
    "run `pulumi config set --secret voiceplane:token`, and have the platform revoke the old one if that file was shared",
);

/**
 * Reads the settings of one provider. The environment overrides the configuration, because refresh and destroy have the
 * configuration of the last update, and because pipelines set the address there. An explicit provider reads only variables
 * that end in its name, so that two organizations never share a token by accident.
 */
export function readSettings(
  read: (key: SettingsKey) => unknown,
  env: Environment,
  configured: ConfiguredNames = { names: [] },
): ProviderSettings {
  // Pipelines and templates set values that they do not have to the empty text.
  const providerName = given(settingText(read("providerName")));
  const fromEnvironment = (variable: string) => given(env[variableOf(variable, providerName)]);
  const variables: Partial<Record<ValueKey, string | undefined>> = {
    baseUrl: fromEnvironment("VOICEPLANE_BASE_URL"),
    token: fromEnvironment("VOICEPLANE_TOKEN"),
  };
  const valueOf = (key: ValueKey) => variables[key] ?? given(settingText(read(key)));
  const [baseUrl = "", token = "", organization, allowInsecureHttp] = valueKeys.map(valueOf);
  const address = URL.canParse(baseUrl) ? addressOf(baseUrl) : "";
  const client = { baseUrl, token, allowInsecureHttp: allowInsecureHttp === "true" };
  const ofClient = clientProblems(providerName, client, env);
  const namedNow = timeNamedIn(env);
  const configuredKeys = valueKeys.filter((key) => variables[key] === undefined);
  const found = compact(
    ...configuredKeys.flatMap((key) => valueProblems(key, read(key) ?? undefined, providerName)),
    providerName !== undefined && providerNameProblem(providerName),
    ...ofClient,
    providerName === undefined && organization === undefined && organizationMissing,
    namedNow === "wrong" && problem("wrong-time", "VOICEPLANE_NOW must be a date, such as 2027-03-01"),
    stateFolderProblem(env),
  );
  const isUnknown = containsUnknown([baseUrl, token, allowInsecureHttp]);
  const unread = unreadIn(configured, providerName);
  const unset: readonly string[] = valueKeys.filter((key) => valueOf(key) === undefined);
  // A name that was probably meant for a setting without a value explains its problem, and is shown with it.
  const meant = unread.filter(({ key }) => providerName === undefined && unset.includes(key));
  const problems = found.length === 0 || isUnknown ? [] : [...found, ...meant.map(({ warning }) => warning)];
  return {
    organization: providerName ?? organization ?? "",
    address,
    providerName,
    client,
    tokenSource: tokenSource(providerName, variables.token !== undefined),
    problems,
    namedNow: namedNow === "wrong" ? undefined : namedNow,
    warnings: compact(...unread.map((each) => each.isOwn && !problems.includes(each.warning) && each.warning)),
  };
}

function valueProblems(key: ValueKey, value: unknown, providerName: string | undefined): Diagnostic[] {
  const text = settingText(value);
  const isFlag = key === "allowInsecureHttp";
  const isRight = isFlag ? flags.includes(text) : text !== undefined;
  const invisible = key === "organization" ? invisibleIn(text ?? "") : undefined;
  const rules = compact(
    value !== undefined && !isRight && (isFlag ? "must be true or false" : "must be text"),
    invisible !== undefined && `has ${invisible}, perhaps copied with the name: set it again`,
  );
  return rules.map((rule) => problem("setting-value", `${ownerOf(providerName)}${key}: ${rule}`));
}

function providerNameProblem(providerName: string): Diagnostic | undefined {
  const invisible = invisibleIn(providerName);
  if (invisible === undefined) return undefined;
  return problem("provider-name", `the name of the Provider has ${invisible}, perhaps copied with it: write it again`);
}

const organizationMissing = problem(
  "organization-missing",
  "no name of the organization: run `pulumi config set voiceplane:organization NAME`",
);

/** The problems of a process without a stack, whose configuration is the only place for the organization's name. */
export const problemsWithoutStack = ({ problems }: ProviderSettings): readonly Diagnostic[] =>
  problems.filter(({ code }) => code !== organizationMissing.code);

function tokenSource(providerName: string | undefined, isVariable: boolean): string {
  const variable = variableOf("VOICEPLANE_TOKEN", providerName);
  const owner = providerName === undefined ? "configuration" : `Provider "${printable(providerName)}"`;
  if (isVariable) return `The token is from ${variable}, which wins over the ${owner}.`;
  const verb = providerName === undefined ? "destroy" : "delete";
  return `The token is the one of the ${owner}, or of the state in a refresh or ${verb}. ${variable} wins over it.`;
}

function timeNamedIn(env: Environment): Date | "wrong" | undefined {
  const text = given(env.VOICEPLANE_NOW);
  if (text === undefined) return undefined;
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/.test(text) && !Number.isNaN(Date.parse(text));
  return isTime ? new Date(text) : "wrong";
}

const flags: unknown[] = ["true", "false", "", unknownValue];

const ownerOf = (providerName: string | undefined) =>
  providerName === undefined ? "voiceplane:" : `the Provider "${providerName}": `;

/** The text of a setting; undefined for another kind of value, which only an explicit provider can have. */
function settingText(value: unknown): string | undefined {
  return typeof value === "boolean" ? String(value) : typeof value === "string" ? value : undefined;
}

/**
 * Refuses a verb over a state if the organization is not known: the object would seem to be another organization's, and destroy would send nothing.
 *
 * @throws ConfigError
 */
export function requireOrganization({ organization, problems }: ProviderSettings): void {
  if (organization === "") throw new ConfigError(...(problems.length > 0 ? problems : [organizationMissing]));
}

/** VOICEPLANE_TOKEN_EU_WEST for "eu-west". */
export const tokenVariableOf = (providerName: string): string => variableOf("VOICEPLANE_TOKEN", providerName);

/** The message about two explicit providers that one variable would give the same token. */
export function sharedVariableProblem(providerName: string, other: string): Diagnostic {
  return problem(
    "token-shared",
    `the Providers "${other}" and "${providerName}" would both take their token from ${tokenVariableOf(providerName)}: ` +
      "rename one of them: only letters and digits count, and not their case",
  );
}

/** The engine gives its own provider such a name, and an explicit one would get that one's token and address. */
export const defaultNameProblem = problem(
  "provider-name",
  "a Provider of your own cannot be called default, as the engine calls the stack's: give it the name of its organization",
);

type ProviderUse = NoteOf<"provider">["use"];

/**
 * Notes an explicit provider for the other ones, which are processes of their own: that the program declares it, or that it is used.
 * Refresh and destroy have no program, and use the providers of the state.
 */
export function noteProvider(run: EngineRun, use: ProviderUse, name: string): void {
  run.note({ says: "provider", key: tokenVariableOf(name), use, name });
}

/** The problem if another provider reads the same variables, whether or not they are set: on another machine they may be. */
export function providerProblem(run: EngineRun, use: ProviderUse, name: string): Diagnostic | undefined {
  const noted = run.notes().providers.of("provider", tokenVariableOf(name));
  const other = noted.find((note) => note.use === use && note.name !== name);
  return other && sharedVariableProblem(name, other.name);
}

/**
 * The problems of a request. Another provider that reads the same variables counts only while one of them is set: otherwise a stack whose state has
 * both providers could not be changed or destroyed any more.
 */
export function requestProblems(
  run: EngineRun,
  { problems, providerName }: ProviderSettings,
  env: Environment,
): readonly Diagnostic[] {
  if (problems.length > 0 || providerName === undefined) return problems;
  const variables = ["VOICEPLANE_TOKEN", "VOICEPLANE_BASE_URL"].map((name) => env[variableOf(name, providerName)]);
  return compact(variables.some(given) && providerProblem(run, "used", providerName));
}

function variableOf(name: string, providerName: string | undefined): string {
  return providerName === undefined ? name : `${name}_${providerName.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

function clientProblems(providerName: string | undefined, client: ClientSettings, env: Environment): Diagnostic[] {
  const noBaseUrl =
    providerName === undefined
      ? "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL"
      : `no base URL: give the Provider "${providerName}" a baseUrl or set ${variableOf("VOICEPLANE_BASE_URL", providerName)}`;
  const noToken =
    providerName === undefined
      ? "no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN"
      : `no token: give the Provider "${providerName}" a token or set ${tokenVariableOf(providerName)}`;
  const missing = compact(
    client.baseUrl === "" && problem("base-url-missing", noBaseUrl),
    client.token === "" && problem("token-missing", noToken),
  );
  return missing.length > 0 ? missing : settingsProblems(client, env);
}
