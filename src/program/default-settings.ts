import { Config } from "@pulumi/pulumi/config";
import { RunError } from "@pulumi/pulumi/errors";
import { warn } from "@pulumi/pulumi/log";
import * as runtimeConfig from "@pulumi/pulumi/runtime/config";
import { getEngine } from "@pulumi/pulumi/runtime/settings";
import {
  plainTokenProblem,
  problemsWithoutStack,
  readSettings,
  settingsHeading,
  tokenKey,
  type ProviderSettings,
} from "../provider/settings.js";
import { compact } from "../values/any.js";
import { blockText, diagnosticText } from "../values/diagnostic.js";
import { currentProgramRun } from "./program-run.js";

/**
 * The settings of the default provider. The program reads them too, because it needs the organization's name, and ends with one message if
 * nothing could be sent.
 */
export function defaultSettings(): ProviderSettings {
  const run = currentProgramRun();
  if (run.settings) return run.settings;
  const config = new Config("voiceplane");
  const configured = { names: Object.keys(runtimeConfig.allConfig()), project: new Config().name };
  const settings = readSettings((key) => config.get(key), process.env, configured);
  if (isUnitTest(settings)) return settings;
  // Without an engine, nothing is sent and no state is written: so neither token nor name is needed, and the token may be plain.
  const problems = getEngine()
    ? compact(...settings.problems, isPlain(tokenKey) && plainTokenProblem)
    : problemsWithoutStack(settings).filter(({ code }) => code !== "token-missing");
  if (problems.length > 0) throw new RunError(blockText(settingsHeading, [...problems, ...settings.warnings]));
  for (const warning of settings.warnings.map(diagnosticText)) {
    void warn(warning);
    run.engineRun.note({ says: "warned", key: warning });
  }
  return (run.settings = settings);
}

/** A program with mocks instead of an engine sends nothing, so it needs no settings. */
function isUnitTest({ client: { baseUrl, token } }: ProviderSettings): boolean {
  return getEngine() === undefined && baseUrl === "" && token === "";
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
