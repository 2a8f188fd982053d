/** The stack's configuration, as the program sees it. */
import { Config } from "@pulumi/pulumi/config";
import { RunError } from "@pulumi/pulumi/errors";
import * as runtimeConfig from "@pulumi/pulumi/runtime/config";
import { getEngine } from "@pulumi/pulumi/runtime/settings";
import { plainTokenProblem, readSettings, tokenKey, type ProviderSettings } from "../provider/settings.js";
import { diagnosticText } from "../values/diagnostic.js";

/** The settings of the stack's own organization, for the requests that the program itself sends. */
export function defaultSettings(): ProviderSettings {
  const config = new Config("voiceplane");
  return readSettings((key) => config.get(key), process.env);
}

/** A provider cannot see this: it gets the token decrypted. @throws RunError */
export function requireSecretToken(): void {
  if (getEngine() !== undefined && isPlain(tokenKey)) throw new RunError(diagnosticText(plainTokenProblem));
}

/** Whether a configuration value is set and not secret. */
export function isPlain(key: string): boolean {
  return runtimeConfig.getConfig(key) !== undefined && !isConfigSecret(key);
}

/** The SDK's types do not show this function, and a later version may not have it. */
const { isConfigSecret = isSecretInEnvironment } = runtimeConfig as { isConfigSecret?: (key: string) => boolean };

/** The engine sets this variable only for a program in its own process, not for one of the Automation API. */
function isSecretInEnvironment(key: string): boolean {
  return (JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS ?? "[]") as string[]).includes(key);
}
