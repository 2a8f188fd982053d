/** Which of the engine's providers a class uses, the dynamic or the native one. Each class says it itself, because a program may use both. */
import { declaredAsKey, typeTokens } from "../values/engine.js";
import type { Inputs } from "@pulumi/pulumi/output";
import type { ResourceType } from "../resources/index.js";

export interface EngineProvider {
  /** The provider's package in the engine. */
  readonly package: "pulumi-nodejs" | "voiceplane";
  /** The module from which programs import it. */
  readonly module: string;
  typeToken(type: ResourceType): string;
  /** Inputs of every resource in addition to the user's. */
  inputs(path: string, name: string): Inputs;
  /** The inputs of an explicit provider, from its name and its arguments. */
  providerInputs(providerName: string, args: Inputs): Inputs;
}

/** The engine starts the SDK's provider for dynamic resources, which loads this package from the program's folder. */
export const dynamicEngineProvider: EngineProvider = {
  package: "pulumi-nodejs",
  module: "pulumi-voiceplane",
  typeToken: typeTokens.dynamic,
  inputs: (path, name) => ({
    // Frozen, because it is in the state. The provider's process loads the version that is installed at that time.
    __provider: `exports.handler=()=>require("pulumi-voiceplane/dynamic/${path}")`,
    [declaredAsKey]: name,
  }),
  providerInputs: (providerName, args) =>
    Object.fromEntries(Object.entries({ providerName, ...args }).map(([key, value]) => [`voiceplane:${key}`, value])),
};

/** The engine starts the plugin `pulumi-resource-voiceplane`. */
export const nativeEngineProvider: EngineProvider = {
  package: "voiceplane",
  module: "pulumi-voiceplane/native",
  typeToken: typeTokens.native,
  inputs: () => ({}),
  // The plugin takes the name from the provider's name.
  providerInputs: (_name, args) => args,
};
