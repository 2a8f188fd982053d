/**
 * Which organization a provider talks to, and with what. The one place that knows the configuration keys and the
 * environment variables, for the doors and for the components alike.
 */
import { containsUnknown } from "../engine-values.js";
import { addressOf, settingsProblems, type ClientSettings } from "../client/settings.js";

/** The configuration keys, without the namespace "voiceplane:". `label` is written by an explicit Provider, never by users. */
export type SettingsKey = "baseUrl" | "token" | "account" | "allowInsecureHttp" | "label";

export interface ProviderSettings {
  /** The organization's name: the explicit provider's label, else voiceplane:account, else the base URL, its path included. */
  readonly account: string;
  /** The base URL in its one spelling; empty where it cannot be read or is not known yet. */
  readonly address: string;
  readonly client: ClientSettings;
  /** What is missing or wrong, and where to set it. Empty if requests can be sent. */
  readonly problems: readonly string[];
}

/** What a message about problems of settings begins with, one on each line after it. `voiceplane report` knows it by that. */
export const settingsHeading = "the settings of voiceplane are not right, and nothing was sent:";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of one provider. The environment wins over the configuration, because refresh and destroy see the
 * configuration of the last update, and because a pipeline pins the address with it; but the plain variables count for the
 * default provider only, and an explicit one looks at those that end in its own label: two organizations never share a token
 * by accident.
 */
export function readSettings(read: (key: SettingsKey) => string | undefined, env: Environment): ProviderSettings {
  // Pipelines and templates set what they have no value for to the empty text: that is as good as not set.
  const orUndefined = (value: string | undefined) => (value === "" ? undefined : value);
  const get = (key: SettingsKey) => orUndefined(read(key));
  const label = get("label");
  const fromEnvironment = (variable: string) => orUndefined(env[variableOf(variable, label)]);
  const baseUrl = fromEnvironment("VOICEPLANE_BASE_URL") ?? get("baseUrl") ?? "";
  const token = fromEnvironment("VOICEPLANE_TOKEN") ?? get("token") ?? "";
  const address = URL.canParse(baseUrl) ? addressOf(baseUrl) : "";
  const client = { baseUrl, token, allowInsecureHttp: get("allowInsecureHttp") === "true" };
  return {
    account: label ?? get("account") ?? address,
    address,
    client,
    problems: containsUnknown([baseUrl, token]) ? [] : (missing(label, client) ?? settingsProblems(client)),
  };
}

/** "eu-west" looks at VOICEPLANE_TOKEN_EU_WEST. */
export function tokenVariableOf(label: string): string {
  return variableOf("VOICEPLANE_TOKEN", label);
}

function variableOf(name: string, label: string | undefined): string {
  return label === undefined ? name : `${name}_${label.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

function missing(
  label: string | undefined,
  { baseUrl, token }: { baseUrl: string; token: string },
): string[] | undefined {
  const problems = [];
  if (baseUrl === "") {
    problems.push(
      label === undefined
        ? "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL"
        : `no base URL: give the Provider "${label}" a baseUrl or set ${variableOf("VOICEPLANE_BASE_URL", label)}`,
    );
  }
  if (token === "") {
    problems.push(
      label === undefined
        ? "no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN"
        : `no token: give the Provider "${label}" a token or set ${tokenVariableOf(label)}`,
    );
  }
  return problems.length > 0 ? problems : undefined;
}
