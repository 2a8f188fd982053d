// Written from src/resources/webhook-secret by `npm run schema`: change it there.
import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicEngineProvider, type EngineProvider } from "../engine-provider.js";
import { registration } from "../register.js";
import type { RotationState, Triggers } from "./types.js";

/** What a {@link WebhookSecret} declares. @category Webhooks */
export interface WebhookSecretArgs {
  /**
   * The id of an existing webhook, as the platform shows it. A change replaces the resource. Must be a string without
   * slashes or spaces around it, and not empty, "." or "..".
   */
  webhookId: Input<string>;
  /**
   * What the first update does. `"rotate"`: it rotates the secret, and the old one may stop working at once. `"adopt"`:
   * nothing. No default, so that a missing argument cannot end a secret in use. Must be "rotate" or "adopt".
   */
  onCreate: Input<"rotate" | "adopt">;
  /**
   * Values of your choice. Any change rotates the secret. Default: none. Must be a map of strings, whole numbers or
   * booleans, such as { quarter: "2026-Q4" }.
   */
  triggers?: Input<Triggers> | undefined;
  /**
   * Rotates the secret once per period, at the first update on or after the due date, which the preview shows as
   * `rotateOn`. Default: never. Must be text such as "90d", from "1d" to "9999d".
   */
  rotateAfter?: Input<string> | undefined;
  /**
   * The current secret, if you know it. With `onCreate: "adopt"` it is the output `secret` until the first rotation,
   * with `"rotate"` it becomes `previousSecret`. Default: not known. Must be a signing secret: ASCII characters without
   * white space.
   */
  initialSecret?: Input<string> | undefined;
  /**
   * Where the secret is in `data`. Default: `signing_secret`, `secret`, or `data` itself. If none was found, set it:
   * the next update reads the secret from there, without rotating. Must be a dotted path, such as
   * "webhook.signing_key".
   */
  secretPath?: Input<string> | undefined;
}

/**
 * Rotates a webhook's signing secret, only when the program asks for it. The old secret may stop working at once: give
 * both `secret` and `previousSecret` to the receiver.
 *
 * - create: `POST /v1/webhooks/{webhook_id}/rotate-secret`. Nothing with `onCreate: "adopt"`.
 * - update: the same POST, if `triggers` changed, `rotateAfter` is due, or the answer to the last rotation was lost.
 *   Nothing else rotates.
 * - read: `GET /v1/webhooks/`, once a run. A webhook that is not in the list stays in the state, with a warning.
 * - delete: nothing. The webhook keeps its secret, and the state forgets it.
 *
 * Errors: 403 if the token lacks the scope `webhooks:write`; 404 for a webhook that does not exist. After a 5xx, a
 * timeout or a broken connection the rotation is uncertain.
 *
 * @example
 *
 * ```ts
 * import { WebhookSecret } from "pulumi-voiceplane";
 *
 * const crm = new WebhookSecret("crm", {
 *   webhookId: "c0000000-0000-4000-8000-000000000001",
 *   onCreate: "rotate",
 *   rotateAfter: "90d",
 *   triggers: { quarter: "2026-Q4" },
 * });
 * export const current = crm.secret;
 * export const previous = crm.previousSecret;
 * ```
 *
 * @category Webhooks
 */
export class WebhookSecret extends CustomResource {
  /** @internal */
  static readonly engineProvider: EngineProvider = dynamicEngineProvider;
  /** The webhook's id. */
  declare readonly webhookId: Output<string>;
  /** The last known secret, see `rotationState`. Not set if none is known. Secret. */
  declare readonly secret: Output<string | undefined>;
  /** The last known secret before it. Not set if there was none. Secret. */
  declare readonly previousSecret: Output<string | undefined>;
  /** The time of the last answered rotation, ISO 8601 in UTC. Not set before the first. */
  declare readonly rotatedAt: Output<string | undefined>;
  /** The number of rotations by this resource whose answer arrived. */
  declare readonly rotationCount: Output<number>;
  /** Whether `secret` is the current secret: `rotated`, `adopted`, `unread` or `uncertain`. */
  declare readonly rotationState: Output<RotationState>;
  /** The server's answer to the last rotation. Not set before the first one. Secret. */
  declare readonly data: Output<unknown>;
  /** The id of the last request. Adopted values have an id of their own. */
  declare readonly requestId: Output<string | undefined>;
  /** The organization: the provider's name, or `voiceplane:organization`. */
  declare readonly organization: Output<string>;

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless `opts.aliases` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. `provider`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: WebhookSecretArgs, opts?: CustomResourceOptions) {
    super(...registration({ type: "WebhookSecret", engineProvider: new.target.engineProvider, name, args, opts }));
  }
}
