/** What can be said about the token: by its text, and by the answer to the list of webhooks. */
import { operations } from "../contract/index.js";
import type { ApiError } from "../client/errors.js";
import type { Webhook } from "../resources/webhook-list.js";
import { failure, ok, warning, type Finding } from "./finding.js";

const unproven = Object.values(operations)
  .filter(({ method }) => method !== "GET")
  .map(({ access }) => access)
  .join(", ");

const notProbed = `Write access was not tested, because testing it would change settings: ${unproven}.`;

/** After a successful answer. */
export function mayRead(list: readonly Webhook[] | undefined): Finding[] {
  return [ok("token", "accepted"), ...checkList(list), ok("scopes", `webhooks:read. ${notProbed}`)];
}

function checkList(list: readonly Webhook[] | undefined): Finding[] {
  if (list) return [];
  const message = "no list of webhooks is found in the answer";
  return [warning("server", message, "A refresh then cannot tell that a webhook is gone, and none can be imported.")];
}

/**
 * After an error answer.
 *
 * @param reached the finding for a server that answered like this API
 * @param unfit the finding for one that did not
 */
export function checkRefusal(error: ApiError, reached: Finding, unfit: (error: ApiError) => Finding): Finding[] {
  const [message = "", advice] = error.message.split("\n");
  switch (error.status) {
    case 401:
      return [reached, failure("token", message, advice)];
    case 402:
      return [reached, warning("scopes", message, advice)];
    case 403:
      return [reached, isAboutCaller(error) ? failure("token", message, advice) : mayNotRead(message)];
    case 429:
      return [reached, warning("token", message, "Whether it is accepted is not known: try again later.")];
    default:
      return [unfit(error)];
  }
}

/** Whether every request is refused, not only this one. */
function isAboutCaller({ code, reason }: ApiError): boolean {
  return code === "STEP_UP_REQUIRED" || /network policy|request source/i.test(reason ?? "");
}

function mayNotRead(message: string): Finding {
  const effect =
    "Without webhooks:read a refresh cannot tell that a webhook is gone, and listWebhooks() fails; the rest works.";
  return warning("scopes", message, `${effect} ${notProbed}`);
}

/** What was pasted along with the token and does not belong to it. Never shows the token. */
export function pastedAlong(token: string): { message: string; advice: string }[] {
  const text = token.trim();
  const quoted = /^(["'`])(.*)\1$/s.exec(text)?.[2];
  const found = [];
  if (/^(authorization:\s*)?bearer(\s|$)/i.test(quoted ?? text)) {
    found.push({
      message: 'the token begins with "Bearer"',
      advice: "Remove that word and the space behind it: it is added to every request.",
    });
  }
  if (quoted !== undefined) {
    found.push({
      message: "the token is in quotes",
      advice: "Remove them: a shell takes them off, while files of variables and the settings of pipelines keep them.",
    });
  }
  if (/[\r\n]\s*$/.test(token)) {
    found.push({
      message: "the token ends with a line end",
      advice: 'Remove it: "$(cat FILE)" drops it, and `printf %s` writes none.',
    });
  }
  return found;
}
