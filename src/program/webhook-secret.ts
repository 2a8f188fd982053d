// Written from src/resources/webhook-secret.ts by `npm run schema`: change it there.
import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicProvider, type EngineProvider } from "./engine-provider.js";
import { noteDeclared, registration, type ResourceClass } from "./register.js";
import { keepCallersFrame } from "./stack-frames.js";
import type { RotationState, Triggers } from "./types.js";

/** What a {@link WebhookSecret} declares. @category Webhooks */
export interface WebhookSecretArgs {
  /**
   * The webhook's id, as the platform shows it. Another id is another webhook, whose secret is rotated as well. Has to
   * be the object's id: a string without slashes or spaces around it, and not empty, "." or "..".
   */
  webhookId: Input<string>;
  /**
   * Values of your choice: any change rotates the signing secret, in place; the preview shows the change. Default:
   * none. Risk: the old secret may stop working at once. Has to be a map of strings, numbers or booleans, such as {
   * quarter: "2026-Q4" }.
   */
  triggers?: Input<Triggers> | undefined;
  /**
   * Rotates the signing secret at the first update after each such time since the last rotation; the preview shows the
   * date as `rotateOn`. Default: never. Risk: the old secret may stop working at once. Has to be a number of whole days
   * from "1d" to "9999d", such as "90d".
   */
  rotateAfter?: Input<string> | undefined;
  /**
   * Whether the first update rotates the signing secret; `false` takes the webhook over as it is. Default: `true`,
   * because only a rotation shows the secret. Required with an initial secret.
   */
  rotateOnCreate?: Input<boolean> | undefined;
  /**
   * A secret that is known already. With `rotateOnCreate: false` it is `secret` until the first rotation, with `true`
   * it becomes `previousSecret`. Removed later, it stays `secret`. Default: not known. Has to be the webhook's signing
   * secret as it is known now, a string that is not empty.
   */
  initialSecret?: Input<string> | undefined;
  /**
   * Where the new secret is in the data of the server's answer. Default: the usual places, such as `signing_secret` or
   * `secret`. Set later, it takes the secret from an answer in which none was found, without rotating. Has to be where
   * the secret is in the answer's data: keys joined by dots, such as "webhook.signing_key".
   */
  secretPath?: Input<string> | undefined;
}

const declaration: ResourceClass = {
  type: "WebhookSecret",
  path: "webhook-secret",
  identity: "webhookId",
  hasOnDelete: false,
  outputs: ["secret", "previousSecret", "rotatedAt", "rotationCount", "rotationState", "data"],
  secretArgs: ["initialSecret"],
  secretOutputs: ["secret", "previousSecret", "data"],
};

/**
 * A webhook's signing secret, rotated when the program says so and never otherwise. On many servers the old secret
 * stops working at once: give both `secret` and `previousSecret` to the receiver.
 *
 * - create: `POST /v1/webhooks/{webhook_id}/rotate-secret`; nothing with `rotateOnCreate: false`.
 * - update: the same POST for any change of `triggers`, a due `rotateAfter`, or after a rotation whose answer was lost;
 *   never for anything else. If only a date is due, `GET /v1/webhooks/` comes first, once a run, for the server's time.
 *   A rotation is never sent twice on a guess: a lost answer is recorded as the {@link RotationState} `"uncertain"`,
 *   and the next update rotates once more.
 * - read: `GET /v1/webhooks/`, once a run, for an import too; a webhook that is not in the list stays in the state,
 *   with a warning.
 * - delete: nothing; the webhook keeps its secret.
 *
 * Errors: 403 where the token lacks the scope `webhooks:write`; 404 for a webhook that does not exist. After a 5xx, a
 * timeout or a broken connection the rotation is uncertain. Moving to another organization is refused at preview,
 * because it would rotate.
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
 * export const current = crm.secret;
 * export const previous = crm.previousSecret;
 * ```
 *
 * @category Webhooks
 */
export class WebhookSecret extends CustomResource {
  /** @internal */
  static readonly engineProvider: EngineProvider = dynamicProvider;
  /** The webhook's id. */
  declare readonly webhookId: Output<string>;
  /** The signing secret as it is known: `rotationState` says how well. Not set where it never was. Secret. */
  declare readonly secret: Output<string | undefined>;
  /** The last secret that was known before it; not set where there was none. Secret. */
  declare readonly previousSecret: Output<string | undefined>;
  /** When the last confirmed rotation was answered, ISO 8601 in UTC; not set before the first. */
  declare readonly rotatedAt: Output<string | undefined>;
  /** Rotations by this resource whose answer arrived. */
  declare readonly rotationCount: Output<number>;
  /** How well `secret` is known. */
  declare readonly rotationState: Output<RotationState>;
  /**
   * The answer in which no secret was found, to look up `secretPath` in; until the next rotation, else not set. Secret.
   */
  declare readonly data: Output<unknown>;
  /** The organization: the provider's label, `voiceplane:account`, or the base URL, its path included. */
  declare readonly account: Output<string>;

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless `opts.aliases` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. `provider`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: WebhookSecretArgs, opts?: CustomResourceOptions) {
    const declared = { ...declaration, engineProvider: new.target.engineProvider, name, args, opts };
    const registered = registration(declared);
    const restoreFrames = keepCallersFrame(opts);
    try {
      super(...registered);
    } catch (error) {
      restoreFrames(error);
      throw error;
    }
    restoreFrames();
    noteDeclared(declared, this);
  }
}
