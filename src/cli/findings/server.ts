/** What the server says to the one request of `voiceplane doctor`, which the provider's client sends. */
import { messageOf } from "../../values/any.js";
import { Client } from "../../client/client.js";
import { ApiError, refusesAddress, TransportError } from "../../client/errors.js";
import { listWebhooks } from "../../client/operations.js";
import { addressOf, proxiesSet, type ClientSettings } from "../../client/settings.js";
import { operations } from "../../contract/index.js";
import { readWebhookList } from "../../resources/webhook-list.js";
import { failure, ok, warning, type Finding } from "./finding.js";

/** Sends `GET /v1/webhooks/` in one attempt: a person waits for the result. */
export async function checkServer(settings: ClientSettings, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const address = addressOf(settings.baseUrl);
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0" && address.startsWith("https:")) return [uncheckedCertificate];
  const reached = ok("server", `${address} answers`);
  const client = new Client(settings, { env }, { maxAttempts: 1, maxRateLimitedAttempts: 1, connections: 1 });
  try {
    const data = await listWebhooks(client);
    if (readWebhookList(data)) return [reached, ok("token", "accepted"), ok("scopes", `webhooks:read. ${untested}`)];
    return [
      data === null
        ? warning("server", `${reached.message}, and no list of webhooks is found in the answer`, noList)
        : failure("server", `${reached.message}, but not as this API`, notThisApi),
    ];
  } catch (error) {
    return error instanceof ApiError ? checkRefusal(error, reached) : [unusable(address, error, env)];
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

/** @param reached the finding for a server that answers like this API */
function checkRefusal(error: ApiError, reached: Finding): Finding[] {
  const { summary: message, hint: advice } = error;
  switch (error.status) {
    case 401:
      return [reached, failure("token", message, advice)];
    case 402:
      return [reached, warning("scopes", message, advice)];
    case 403:
      return [
        reached,
        refusesAddress(error.reason) ? failure("token", message, advice) : warning("scopes", message, noRead),
      ];
    case 429:
      return [reached, warning("token", message, "It is not known whether the token is accepted: try again later.")];
    default:
      return [failure("server", message.replace(/\.$/, ""), advice)];
  }
}

const noRead =
  "Without webhooks:read, a refresh cannot see that a webhook is gone, and imports of webhooks, listWebhooks() and init --from-server fail. " +
  untested;

/** The client's own words and hint. */
function unusable(address: string, error: unknown, env: NodeJS.ProcessEnv): Finding {
  const [message, hint] = error instanceof TransportError ? [error.summary, error.hint] : [messageOf(error), undefined];
  const advice = [
    hint,
    proxiesSet(env).length > 0 && "The environment names a proxy: check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
  ].filter(Boolean);
  return failure("server", `${address} cannot be used: ${message.replace(/\.$/, "")}`, advice.join(" ") || undefined);
}
