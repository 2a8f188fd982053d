/** The configuration of a provider, as the engine sends it. */
import { isDeepStrictEqual } from "node:util";
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import type { EngineRun } from "../../lifecycle/context.js";
import { compact, type Values } from "../../values/any.js";
import { diagnosticText, type Diagnostic } from "../../values/diagnostic.js";
import { isDefaultProvider, urnParts } from "../../values/engine.js";
import type { Environment } from "../../values/environment.js";
import { engineReason } from "../check.js";
import {
  defaultNameProblem,
  noteProvider,
  providerProblem,
  readSettings,
  type ProviderSettings,
  type SettingsKey,
} from "../settings.js";
import { diffResponse } from "./diff.js";
import { plainProperties, structOf } from "./values.js";

/** The problem of a provider that is called default, if it may be the program's or the engine's. */
const misnamed: Diagnostic = {
  ...defaultNameProblem,
  text: `if the program declares this Provider: ${defaultNameProblem.text}`,
};

/** The settings of the provider of this name. An explicit provider is an organization of its own, by its name. */
function settingsOf(name: string, config: Values, env: Environment): ProviderSettings {
  const providerName = isDefaultProvider(name) ? undefined : name;
  const valueOf = (key: SettingsKey): unknown => (key === "providerName" ? providerName : config[key]);
  const prefix = providerName === undefined ? "voiceplane:" : "";
  return readSettings(valueOf, env, { names: Object.keys(config).map((key) => prefix + key) });
}

export async function checkConfig(
  request: pb.CheckRequest,
  env: Environment,
  run: EngineRun,
  warn: (urn: string, warning: Diagnostic) => Promise<void>,
): Promise<pb.CheckResponse> {
  const { values, secrets } = plainProperties(request.getNews());
  const { problems, providerName, warnings } = settingsOf(urnParts(request.getUrn()).name, values, env);
  if (providerName !== undefined) noteProvider(run, "declared", providerName);
  const clash = providerName === undefined ? undefined : providerProblem(run, "declared", providerName);
  // No configuration of the stack reaches an explicit provider that is called default, so it has no organization. The engine's own may lack one too.
  const isMisnamed = providerName === undefined && problems.some(({ code }) => code === "organization-missing");
  const all = compact(...problems, clash, isMisnamed && misnamed);
  // A program in TypeScript has given these warnings itself.
  const { program } = run.notes();
  for (const warning of warnings.filter((each) => !program.has("warned", diagnosticText(each))))
    await warn(request.getUrn(), warning);
  return new pb.CheckResponse()
    .setInputs(structOf(values, [...secrets, "token"]))
    .setFailuresList(all.map((each) => new pb.CheckFailure().setReason(engineReason(each))));
}

/** A changed provider replaces nothing: its resources have the organization's name and address among their inputs. */
export function diffConfig(request: pb.DiffRequest): pb.DiffResponse {
  const { version, ...before } = plainProperties(request.getOldInputs()).values;
  const { version: newVersion, ...after } = plainProperties(request.getNews()).values;
  return diffResponse({ changes: !isDeepStrictEqual(before, after) }, before, after);
}

export function settingsIn(request: pb.ConfigureRequest, env: Environment) {
  // An older engine sends neither the URN nor the name.
  const inUrn = request.hasUrn() ? urnParts(request.getUrn() ?? "").name : undefined;
  const name = request.hasName() ? request.getName() : inUrn;
  const settings = settingsOf(name ?? "", plainProperties(request.getArgs()).values, env);
  // In `pulumi do --stateless`, there is no stack, and the provider's name is empty.
  return { settings, isStateless: name === "" };
}
