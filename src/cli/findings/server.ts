/** What the server says to the one request of `voiceplane doctor`, which the provider's client sends. */
import { compact } from "../../values/any.js";
import { Client } from "../../client/client.js";
import { problemsIn, RequestError } from "../../client/errors.js";
import { requestWebhooks } from "../../client/operations.js";
import type { Diagnostic } from "../../values/diagnostic.js";
import type { Environment } from "../../values/environment.js";
import { printable } from "../../values/text.js";
import { operations } from "../../contract/index.js";
import type { ProviderSettings } from "../../provider/settings.js";
import { isInList, readWebhookList } from "../../resources/webhook-secret/list.js";
import { problemFinding, findingOf, ok, warningFinding, type Finding } from "./finding.js";

export interface NamedWebhook {
  readonly name: string;
  readonly id: string;
}

/**
 * Sends `GET /v1/webhooks/` in one attempt: a person waits for the result.
 *
 * @param webhooks of the stack, which should be in the list
 */
export async function checkServer(
  { address, client: settings }: ProviderSettings,
  env: Environment,
  webhooks: readonly NamedWebhook[],
): Promise<Finding[]> {
  const client = new Client(settings, { env }, { maxAttempts: 1, maxRateLimitedAttempts: 1, connections: 1 });
  try {
    // An answer of this API has an envelope, whatever its data is.
    let envelopes = 0;
    const list = readWebhookList(await requestWebhooks(client, { onEnvelope: () => envelopes++ }));
    if (!list && envelopes === 0)
      return [problemFinding("server", "not-this-api", `${address} answers, but not as this API`, notThisApi)];
    if (!list) {
      const text = `${address} answers, and no list of webhooks is found in the answer`;
      return [warningFinding("server", "list-unreadable", text, noWebhookList)];
    }
    return [
      ok("server", `${address} accepts the token for webhooks:read`, untested),
      ...compact(list.partial !== undefined && partialList(list.partial)),
      ...webhooks.filter(({ id }) => isInList(list, id) === false).map(({ name }) => notListed(name)),
    ];
  } catch (error) {
    if (error instanceof RequestError && error.status !== undefined) return [refusal(error.diagnostic)];
    return problemsIn(error).map((each) =>
      findingOf("server", { ...each, text: `${address} cannot be used: ${each.text}` }),
    );
  } finally {
    await client.close();
  }
}

function partialList(partial: string): Finding {
  const advice = "What is not in the list may exist: no webhook is reported as missing.";
  return warningFinding("server", "list-unreadable", `of the list of webhooks, ${partial}`, advice);
}

function notListed(name: string): Finding {
  const text = `${printable(name)} is not in this token's list of webhooks`;
  return warningFinding("server", "webhook-unlisted", text, "A wrong id, or another organization's token?");
}

const notThisApi = "Check the base URL, its path included: it is the address that /v1/webhooks/ is appended to.";

const writeAccess = Object.values(operations)
  .filter(({ method }) => method !== "GET")
  .map(({ access }) => access)
  .join(", ");

const untested = `Write access was not tested, because testing it would change settings: ${writeAccess}.`;

const noWebhookList = `${notThisApi} If it is right, a refresh cannot see that a webhook is gone, and no webhook can be imported.`;

/** A warning if an update may work without the list of webhooks. */
function refusal({ code, text, advice }: Diagnostic): Finding {
  if (code === "token-rights") return warningFinding("server", code, text, noRead);
  if (code === "not-in-plan" || code === "rate-limited") return warningFinding("server", code, text, advice);
  return problemFinding("server", code, text, advice);
}

const noRead =
  "Without webhooks:read, a refresh cannot see that a webhook is gone, and imports of webhooks, listWebhooks() and init --from-server fail. " +
  untested;
