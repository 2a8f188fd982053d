import { Client } from "../../client/client.js";
import { ConfigError } from "../../client/errors.js";
import { listWebhooks } from "../../client/operations.js";
import { addressOf } from "../../client/settings.js";
import { readWebhookList, type WebhookList } from "../../resources/webhook-list.js";
import { readSettings } from "../../pulumi/settings.js";

export interface Listed {
  readonly list: WebhookList;
  readonly address: string;
}

/**
 * `GET /v1/webhooks/` of the organization that the environment names: there is no stack yet whose configuration could.
 *
 * @throws ConfigError, ApiError, TransportError, or an Error where the answer holds no list
 */
export async function webhooksOfServer(env: Readonly<Record<string, string | undefined>>): Promise<Listed> {
  const { client: settings, problems } = readSettings(() => undefined, env);
  if (problems.length > 0) {
    throw new ConfigError([
      `--from-server needs VOICEPLANE_BASE_URL and VOICEPLANE_TOKEN in the environment: ${problems.join("; ")}`,
    ]);
  }
  const client = new Client(settings);
  try {
    const list = readWebhookList(await listWebhooks(client));
    const address = addressOf(settings.baseUrl);
    if (list) return { list, address };
    throw new Error(`no list of webhooks is found in the answer of ${address}; voiceplane doctor may tell why`);
  } finally {
    await client.close();
  }
}
