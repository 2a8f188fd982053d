import { secret, type Input, type Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import type { RotationState } from "../../resources/webhook-secret.js";
import { dynamicDoor, type Door } from "./door.js";
import { noteDeclared, registration, type Declaration } from "./register.js";
import type { Triggers } from "./trunk-outbound-auth.js";

/** What a {@link WebhookSecret} declares. @category Webhooks */
export interface WebhookSecretArgs {
  /** The webhook's id, as the platform shows it. Another id is another object, whose secret is rotated as well. */
  webhookId: Input<string>;
  /** Any change rotates the secret, in place; the preview shows the change. Default: none. */
  triggers?: Input<Triggers> | undefined;
  /**
   * Rotates when this long has passed since the last rotation, at the first update from then on: whole days from `"1d"` to
   * `"9999d"`. The preview shows the date as `rotateOn`. Default: never.
   */
  rotateAfter?: Input<string> | undefined;
  /**
   * `false` adopts the webhook without rotating. Default: `true`, since only a rotation shows the secret; required with
   * `initialSecret`.
   */
  rotateOnCreate?: Input<boolean> | undefined;
  /**
   * The secret as it is known now; kept as a secret. With `rotateOnCreate: false` it is `secret` until the first rotation,
   * with `true` it becomes `previousSecret`. Default: not known.
   */
  initialSecret?: Input<string> | undefined;
  /**
   * Where the secret is in the answer's data: keys joined by dots, such as `"webhook.signing_key"`. Default: the usual
   * places, such as `signing_secret` or `secret`. Set later, it takes the secret from an answer in which none was found,
   * without rotating.
   */
  secretPath?: Input<string> | undefined;
}

const secretOutputs = ["secret", "previousSecret", "data"];

const declaration: Declaration = {
  type: "WebhookSecret",
  kind: "webhook-secret",
  identity: "webhookId",
  hasOnDelete: false,
  outputs: ["rotatedAt", "rotationCount", "rotationState", ...secretOutputs],
  secretOutputs,
};

/**
 * A webhook's signing secret, rotated when the program says so and never otherwise. On many servers the old secret stops
 * working at once: give both `secret` and `previousSecret` to the receiver.
 *
 * - create: `POST /v1/webhooks/{webhook_id}/rotate-secret`; nothing with `rotateOnCreate: false`.
 * - update: the same POST for any change of `triggers`, a due `rotateAfter`, or after a rotation whose answer was lost;
 *   never for anything else. A rotation is never sent twice on a guess: a lost answer is recorded as the
 *   {@link RotationState} `"uncertain"`, and the next update rotates once more.
 * - read (refresh): `GET /v1/webhooks/`; only a complete list without the webhook removes it from the state.
 * - delete: nothing; the webhook keeps its secret.
 *
 * Errors: 403 where the token lacks the scope `webhooks:write`; 404 for a webhook that does not exist. After a 5xx, a
 * timeout or a broken connection the rotation is uncertain. Moving to another organization is refused at preview, because
 * it would rotate.
 *
 * @example
 *
 * ```ts
 * import { WebhookSecret } from "pulumi-voiceplane";
 *
 * const crm = new WebhookSecret("crm", {
 *   webhookId: "c0000000-0000-4000-8000-000000000001",
 *   rotateAfter: "90d",
 *   triggers: { quarter: "2026-Q4" },
 * });
 * export const secrets = { current: crm.secret, previous: crm.previousSecret };
 * ```
 *
 * @category Webhooks
 */
export class WebhookSecret extends CustomResource {
  /** @internal */
  static readonly door: Door = dynamicDoor;
  /** The webhook's id. */
  declare readonly webhookId: Output<string>;
  /** The signing secret as it is known: `rotationState` says how well. Undefined where it never was. Secret. */
  declare readonly secret: Output<string | undefined>;
  /** The last secret that was known before it; undefined where there was none. Secret. */
  declare readonly previousSecret: Output<string | undefined>;
  /** When the last rotation was answered, ISO 8601 in UTC; undefined before the first. */
  declare readonly rotatedAt: Output<string | undefined>;
  /** Rotations by this resource whose answer arrived. */
  declare readonly rotationCount: Output<number>;
  /** How well `secret` is known. */
  declare readonly rotationState: Output<RotationState>;
  /** The answer in which no secret was found, to look up `secretPath` in; else undefined. Secret. */
  declare readonly data: Output<unknown>;
  /** The organization: the provider's label, voiceplane:account, or the base URL, its path included. */
  declare readonly account: Output<string>;

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless `opts.aliases` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. `provider`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: WebhookSecretArgs, opts?: CustomResourceOptions) {
    const { initialSecret } = args;
    super(
      ...registration(
        new.target.door,
        declaration,
        name,
        initialSecret === undefined ? args : { ...args, initialSecret: secret(initialSecret) },
        opts,
      ),
    );
    noteDeclared(new.target.door, this, declaration, args, opts);
  }
}
