/** Whether the control plane lets this machine in. */
import { Client } from "../../client/client.js";
import { ApiError } from "../../client/errors.js";
import { listWebhooks } from "../../client/operations.js";
import type { ClientSettings } from "../../client/settings.js";

/**
 * Asks for the list of webhooks, which changes nothing.
 *
 * @param settings the address and the token
 * @returns how the server refuses the token or this address; undefined if it answers
 * @throws Error if nobody knows, for example without an answer
 */
export async function refusalOf(settings: ClientSettings): Promise<string | undefined> {
  const client = new Client(settings);
  try {
    await listWebhooks(client);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return error.summary;
    throw error;
  } finally {
    await client.close();
  }
}
