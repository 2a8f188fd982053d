/** What the server says to the one request of `voiceplane doctor`, which the provider's client sends. */
import { messageOf } from "../../values/any.js";
import { Client } from "../../client/client.js";
import { ApiError, refusesAddress, TransportError } from "../../client/errors.js";
import { listWebhooks } from "../../client/operations.js";
import { addressOf, type ClientSettings } from "../../client/settings.js";
import { operations } from "../../contract/index.js";
import { readWebhookList } from "../../resources/webhook-secret/list.js";
import { failure, ok, warning, type Finding } from "./finding.js";

/** Sends `GET /v1/webhooks/` in one attempt: a person waits for the result. */
export async function checkServer(settings: ClientSettings, env: NodeJS.ProcessEnv): Promise<Finding> {
  const address = addressOf(settings.baseUrl);
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0" && address.startsWith("https:")) return uncheckedCertificate;
  const client = new Client(settings, { env }, { maxAttempts: 1, maxRateLimitedAttempts: 1, connections: 1 });
  try {
    const data = await listWebhooks(client);
    if (readWebhookList(data)) return ok("server", `${address} accepts the token for webhooks:read`, untested);
    return data === null
      ? warning("server", `${address} answers, and no list of webhooks is found in the answer`, noList)
      : failure("server", `${address} answers, but not as this API`, notThisApi);
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    const [message, hint] = error instanceof TransportError ? [error.summary, error.hint] : [messageOf(error)];
    return failure("server", `${address} cannot be used: ${message}`, hint);
  } finally {
    await client.close();
  }
}

const uncheckedCertificate = failure(
  "server",
  "not asked: the server's certificate would not be checked, so another machine could read the token",
  "Unset NODE_TLS_REJECT_UNAUTHORIZED; NODE_EXTRA_CA_CERTS names an authority of your own.",
);

const notThisApi = "Check the base URL, its path included: it is the address that /v1/webhooks/ is appended to.";

const writeAccess = Object.values(operations)
  .filter(({ method }) => method !== "GET")
  .map(({ access }) => access)
  .join(", ");

const untested = `Write access was not tested, because testing it would change settings: ${writeAccess}.`;

const noList = `${notThisApi} If it is right, a refresh cannot see that a webhook is gone, and no webhook can be imported.`;

/** Without the list of webhooks, the rest may work. The message and the hint are the client's own. */
function refusal({ status, reason, summary, hint }: ApiError): Finding {
  const isOfScope = status === 403 && !refusesAddress(reason);
  if (isOfScope) return warning("server", summary, noRead);
  return status === 402 || status === 429 ? warning("server", summary, hint) : failure("server", summary, hint);
}

const noRead =
  "Without webhooks:read, a refresh cannot see that a webhook is gone, and imports of webhooks, listWebhooks() and init --from-server fail. " +
  untested;
