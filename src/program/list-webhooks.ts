import { blockText } from "../values/diagnostic.js";
import { messageOf } from "../values/any.js";
import { RunError } from "@pulumi/pulumi/errors";
import { secret, type Output } from "@pulumi/pulumi/output";
import type { ClientSettings } from "../client/settings.js";
import type { Webhook } from "../resources/webhook-secret/list.js";
import { problemsWithoutStack, settingsHeading, type ProviderSettings } from "../provider/settings.js";
import { defaultSettings } from "./configuration.js";
import type { Provider } from "./provider.js";

/**
 * The organization's webhooks: `GET /v1/webhooks/`, at once and in previews too. Each has an `id` and other
 * members of the server's choice. A server that pages its list gives its first page only.
 *
 * The whole output is secret, because a server may return secrets: the address of a webhook may hold a password. Use
 * `unsecret` for parts that are not secret, such as the ids.
 *
 * Errors, as one message that ends the program: 403 where the token lacks the scope `webhooks:read`; no list in the
 * answer.
 *
 * @example
 *
 * ```ts
 * import { unsecret } from "@pulumi/pulumi";
 * import { listWebhooks } from "pulumi-voiceplane";
 *
 * export const ids = unsecret(listWebhooks().apply((webhooks) => webhooks.map(({ id }) => id)));
 * ```
 *
 * @param opts Which organization.
 * @param opts.provider The organization. Default: the one of the stack's configuration.
 * @returns The webhooks, in the server's order. Secret.
 * @throws RunError if the settings of the stack's organization are missing or wrong.
 *
 * @category Webhooks
 */
export function listWebhooks(opts: { provider?: Provider } = {}): Output<Webhook[]> {
  // Secret, so that the list is secret as well.
  const settings: Output<ProviderSettings> = secret(opts.provider ? opts.provider.settings : valid(defaultSettings()));
  return settings.apply(async (known) => fetched(valid(known).client));
}

/** A list needs no name of the organization. @throws RunError */
function valid(settings: ProviderSettings): ProviderSettings {
  const problems = problemsWithoutStack(settings);
  if (problems.length > 0) throw new RunError(blockText(settingsHeading, problems));
  return settings;
}

async function fetched(settings: ClientSettings): Promise<Webhook[]> {
  const [{ Client }, { fetchWebhooks }] = await Promise.all([
    import("../client/client.js"),
    import("../resources/webhook-secret/list.js"),
  ]);
  const client = new Client(settings);
  try {
    return await fetchWebhooks(client);
  } catch (error) {
    throw new RunError(messageOf(error));
  } finally {
    await client.close();
  }
}
