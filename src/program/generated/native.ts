// Written from src/resources by `npm run schema`: change it there.
import { nativeEngineProvider } from "../engine-provider.js";
import * as dynamic from "./index.js";

export * from "./enums.js";
export type * from "./index.js";

/** {@link dynamic.RetentionPolicy} over the plugin. @category Retention */
export class RetentionPolicy extends dynamic.RetentionPolicy {
  /** @internal */
  static override readonly engineProvider = nativeEngineProvider;
}

/** {@link dynamic.NetworkPolicy} over the plugin. @category Network policies */
export class NetworkPolicy extends dynamic.NetworkPolicy {
  /** @internal */
  static override readonly engineProvider = nativeEngineProvider;
}

/** {@link dynamic.TrunkOutboundAuth} over the plugin. @category Trunks */
export class TrunkOutboundAuth extends dynamic.TrunkOutboundAuth {
  /** @internal */
  static override readonly engineProvider = nativeEngineProvider;
}

/** {@link dynamic.WebhookSecret} over the plugin. @category Webhooks */
export class WebhookSecret extends dynamic.WebhookSecret {
  /** @internal */
  static override readonly engineProvider = nativeEngineProvider;
}
