import { secret, type Input, type Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import type { RotationState } from "../resources/webhook-secret.js";
import { optionsOf, propertiesOf, typeToken, type Declaration } from "./declare.js";
import type { Triggers } from "./trunk-outbound-auth.js";

export interface WebhookSecretArgs {
  /** The webhook's id, as the platform shows it. Another id is another object, whose secret is rotated as well. */
  webhookId: Input<string>;
  /** Any change rotates the secret, in place; the preview shows the change. */
  triggers?: Input<Triggers> | undefined;
  /**
   * Rotates when this long has passed since the last rotation, at the first update from then on: whole days, e.g. "90d". The
   * preview shows the date as `rotateOn`. Default: never.
   */
  rotateAfter?: Input<string> | undefined;
  /** false adopts the webhook without rotating. Default: true, since no other way tells what the secret is. */
  rotateOnCreate?: Input<boolean> | undefined;
  /**
   * The secret as it is known now; kept as a secret. With rotateOnCreate: false it is `secret` until the first rotation,
   * with true it becomes `previousSecret`.
   */
  initialSecret?: Input<string> | undefined;
  /**
   * Where the secret is in the answer's data: keys joined by dots. Default: the usual places. Set later, it takes the secret
   * from an answer in which none was found, without rotating.
   */
  secretPath?: Input<string> | undefined;
}

const secretOutputs = ["secret", "previousSecret", "data"];

const declaration: Declaration = {
  type: "WebhookSecret",
  kind: "webhook-secret",
  identity: "webhookId",
  outputs: ["account", "rotatedAt", "rotationCount", "rotationState", ...secretOutputs],
  secretOutputs,
};

/**
 * A webhook's signing secret, rotated when the program says so and never otherwise. On many servers the old secret dies at
 * once: hand both `secret` and `previousSecret` to the receiver.
 *
 * - create: `POST /v1/webhooks/{webhook_id}/rotate-secret`; nothing with rotateOnCreate: false.
 * - update: the same POST for any change of triggers, a due `rotateAfter`, or after a rotation whose answer was lost; never
 *   for anything else. A rotation is never sent twice on a guess: a lost answer is recorded as `rotationState:
 *   "uncertain"`, and the next update rotates once more.
 * - read (refresh): `GET /v1/webhooks/`; only a complete list without the webhook removes it from the state.
 * - delete: nothing; the webhook keeps its secret.
 *
 * Errors: 403 where the token has not the scope webhooks:write; 404 for a webhook that does not exist. Moving to another
 * organization is refused at preview, because it would rotate.
 */
export class WebhookSecret extends CustomResource {
  declare readonly webhookId: Output<string>;
  /** The signing secret as it is known: see `rotationState` for how well. */
  declare readonly secret: Output<string | undefined>;
  /** The last secret that was known before it. */
  declare readonly previousSecret: Output<string | undefined>;
  /** When the last rotation was answered, ISO 8601 in UTC; undefined before the first. */
  declare readonly rotatedAt: Output<string | undefined>;
  /** Rotations by this resource whose answer arrived. */
  declare readonly rotationCount: Output<number>;
  /**
   * "rotated": secret is what the last rotation answered. "adopted": not rotated by this resource yet. "unread": rotated,
   * but no secret was found in the answer, see `data`. "uncertain": the answer was lost, and secret may be dead.
   */
  declare readonly rotationState: Output<RotationState>;
  /** The answer in which no secret was found, for secretPath; else undefined. */
  declare readonly data: Output<unknown>;
  /** The organization: the provider's label, voiceplane:account, or the base URL's origin. */
  declare readonly account: Output<string>;

  constructor(name: string, args: WebhookSecretArgs, opts?: CustomResourceOptions) {
    const guarded = args.initialSecret === undefined ? args : { ...args, initialSecret: secret(args.initialSecret) };
    super(
      typeToken(declaration),
      name,
      propertiesOf(declaration, name, guarded, opts),
      optionsOf(declaration, opts, true),
    );
  }
}
