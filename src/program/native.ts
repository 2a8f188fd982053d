/**
 * The classes of pulumi-voiceplane over the native plugin `pulumi-resource-voiceplane`: the same names, arguments and outputs. A program
 * changes to the plugin by this import, and its state moves over with the next update, which sends nothing.
 *
 * The engine finds the plugin where Pulumi.yaml names its folder (`plugins: { providers: [{ name: voiceplane, path:
 * ./node_modules/.bin }] }`), or where `pulumi plugin install` has put it.
 *
 * @module pulumi-voiceplane/native
 */
import { nativeEngineProvider } from "./engine-provider.js";
import * as classes from "./generated/native.js";
import * as dynamic from "./index.js";

export * from "./generated/native.js";
export { listWebhooks, type ProviderArgs, type Webhook } from "./index.js";

/** {@link dynamic.Provider} of the plugin: only resources of this module can use it. @category Organizations */
export class Provider extends dynamic.Provider {
  /** @internal */
  static override readonly engineProvider = nativeEngineProvider;
}

/** {@link dynamic.Organization} over the plugin. @category Organizations */
export class Organization extends dynamic.Organization {
  /** @internal */
  static override readonly engineProvider = nativeEngineProvider;
  /** @internal */
  static override readonly classes = classes;
}
