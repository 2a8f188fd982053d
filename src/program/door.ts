/** The two ways from a class to the provider's code. A class has its door as a static property: a program may use both. */
import type { Inputs } from "@pulumi/pulumi/output";
import type { ResourceType } from "../resources/index.js";

export interface Door {
  /** The package of the engine's provider. */
  readonly package: "pulumi-nodejs" | "voiceplane";
  /** The engine's name of a type. Frozen: it is in every stack's state. */
  typeToken(type: ResourceType): string;
  /** Inputs that every resource has beside the user's. */
  inputs(kind: string): Inputs;
  /** The inputs of an explicit provider, from its name and its arguments. */
  providerInputs(label: string, args: Inputs): Inputs;
}

/** The engine starts the SDK's provider for dynamic resources, which loads this package from the program's folder. */
export const dynamicDoor: Door = {
  package: "pulumi-nodejs",
  typeToken: (type) => `pulumi-nodejs:dynamic/voiceplane:${type}`,
  // This text stays in the state for ever: the provider's process loads the code of the version that is installed then.
  inputs: (kind) => ({ __provider: `exports.handler=()=>require("pulumi-voiceplane/dynamic/${kind}")` }),
  providerInputs: (label, args) =>
    Object.fromEntries(Object.entries({ label, ...args }).map(([key, value]) => [`voiceplane:${key}`, value])),
};

/** The engine starts the plugin `pulumi-resource-voiceplane`. */
export const nativeDoor: Door = {
  package: "voiceplane",
  typeToken: (type) => `voiceplane:index:${type}`,
  inputs: () => ({}),
  // The plugin takes the label from the provider's name.
  providerInputs: (_label, args) => args,
};

export function otherDoor(door: Door): Door {
  return door === dynamicDoor ? nativeDoor : dynamicDoor;
}
