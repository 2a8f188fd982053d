/** The configuration of a provider, as the engine sends it. */
import { isDeepStrictEqual } from "node:util";
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import type { Values } from "../../values/any.js";
import { isDefaultProvider, urnParts } from "../../values/engine.js";
import type { Environment } from "../../values/environment.js";
import { engineReason } from "../check.js";
import { previewProblems, readSettings, type ProviderSettings } from "../settings.js";
import { plainProperties, structOf } from "./values.js";

/** The settings of the provider of this name. An explicit provider is an organization of its own, by its name. */
function settingsOf(name: string, config: Values, env: Environment): ProviderSettings {
  const providerName = isDefaultProvider(name) ? undefined : name;
  return readSettings((key) => (key === "providerName" ? providerName : config[key]), env);
}

export function checkConfig(request: pb.CheckRequest, env: Environment): pb.CheckResponse {
  const { values, secrets } = plainProperties(request.getNews());
  const problems = previewProblems(settingsOf(urnParts(request.getUrn()).name, values, env));
  return new pb.CheckResponse()
    .setInputs(structOf(values, [...secrets, "token"]))
    .setFailuresList(problems.map((each) => new pb.CheckFailure().setReason(engineReason(each))));
}

/** A changed provider replaces nothing: its resources have the organization's name and address among their inputs. */
export function diffConfig(request: pb.DiffRequest): pb.DiffResponse {
  const { version, ...before } = plainProperties(request.getOldInputs()).values;
  const { version: newVersion, ...after } = plainProperties(request.getNews()).values;
  const { DIFF_NONE, DIFF_SOME } = pb.DiffResponse.DiffChanges;
  return new pb.DiffResponse().setChanges(isDeepStrictEqual(before, after) ? DIFF_NONE : DIFF_SOME);
}

export function settingsIn(request: pb.ConfigureRequest, env: Environment): ProviderSettings {
  // An older engine sends neither the URN nor the name.
  const inUrn = request.hasUrn() ? urnParts(request.getUrn() ?? "").name : "default";
  const name = request.hasName() ? (request.getName() ?? "") : inUrn;
  return settingsOf(name, plainProperties(request.getArgs()).values, env);
}
