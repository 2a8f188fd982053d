import { all, RunError, type Output } from "@pulumi/pulumi";
import type { WebhookSecret } from "pulumi-voiceplane";

export type Secrets = { secret: string; previousSecret?: string };

/**
 * Both secrets of a webhook as one secret value. `previousSecret` is missing if there was none.
 *
 * Fails if no secret is known, for example of a webhook that was adopted without `initialSecret`. Otherwise the receiver
 * would lose the secret that it has.
 */
export function secretsOf({ webhookId, secret, previousSecret, rotationState }: WebhookSecret): Output<Secrets> {
  return all([webhookId, secret, previousSecret, rotationState]).apply(([id, current, previous, state]) => {
    if (current === undefined) {
      const error = new RunError(
        `The secret of webhook ${id} is not known (rotationState: ${state}), so nothing was passed to its receivers. ` +
          `Set initialSecret, or change triggers to rotate it.`,
      );
      error.stack = ""; // The SDK would print it.
      throw error;
    }
    return previous === undefined ? { secret: current } : { secret: current, previousSecret: previous };
  });
}
