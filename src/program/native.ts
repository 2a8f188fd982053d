/**
 * The classes of pulumi-voiceplane over the native plugin `pulumi-resource-voiceplane`: the same names, arguments and outputs. A program
 * changes to the plugin by this import, and its state moves over with the next update, which sends nothing.
 *
 * The engine finds the plugin where Pulumi.yaml names its folder (`plugins: { providers: [{ name: voiceplane, path:
 * ./node_modules/.bin }] }`), or where `pulumi plugin install` has put it.
 *
 * @module pulumi-voiceplane/native
 */
import { nativeProvider } from "./engine-provider.js";
import * as dynamic from "./index.js";

export * from "./generated/enums.js";
export { listWebhooks } from "./index.js";
export type * from "./index.js";

/** {@link dynamic.RetentionPolicy} over the plugin. @category Retention */
export class RetentionPolicy extends dynamic.RetentionPolicy {
  /** @internal */
  static override readonly engineProvider = nativeProvider;
}

/** {@link dynamic.NetworkPolicy} over the plugin. @category Network policies */
export class NetworkPolicy extends dynamic.NetworkPolicy {
  /** @internal */
  static override readonly engineProvider = nativeProvider;
}

/** {@link dynamic.TrunkOutboundAuth} over the plugin. @category Trunks */
export class TrunkOutboundAuth extends dynamic.TrunkOutboundAuth {
  /** @internal */
  static override readonly engineProvider = nativeProvider;
}

/** {@link dynamic.WebhookSecret} over the plugin. @category Webhooks */
export class WebhookSecret extends dynamic.WebhookSecret {
  /** @internal */
  static override readonly engineProvider = nativeProvider;
}

/** {@link dynamic.Provider} of the plugin: only resources of this module can use it. @category Organizations */
export class Provider extends dynamic.Provider {
  /** @internal */
  static override readonly engineProvider = nativeProvider;
}

/** {@link dynamic.Organization} over the plugin. @category Organizations */
export class Organization extends dynamic.Organization {
  /** @internal */
  static override readonly classes = { RetentionPolicy, NetworkPolicy, TrunkOutboundAuth, WebhookSecret };
}
