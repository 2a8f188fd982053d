/** What the request and its answer show of the proxy, the connection, the clock and the server. */
import { isObject, messageOf, parseJson } from "../../values/any.js";
import { ApiError, ConfigError, refusesAddress, TransportError } from "../../client/errors.js";
import { decodeBody } from "../../client/answer.js";
import { header } from "../../client/attempt.js";
import { defaultLimits } from "../../client/client.js";
import { httpDate } from "../../client/retry.js";
import { isLoopback, addressOf } from "../../client/settings.js";
import { operations } from "../../contract/index.js";
import { readWebhookList, type Webhook } from "../../resources/webhook-list.js";
import { failure, ok, warning, type Check, type Finding } from "./finding.js";
import type { Answer, ProbeResult } from "./probe.js";

export function checkServer(result: ProbeResult, baseUrl: string, env: NodeJS.ProcessEnv): Finding[] {
  const base = new URL(baseUrl);
  // The settings were checked before, so a proxy variable is wrong.
  if (result.error instanceof ConfigError) return [failure("proxy", ...textsOf(result.error))];
  const { answer } = result;
  const proxy = proxyOf(result, base);
  return [
    checkProxy(proxy, env),
    ...(answer ? [checkTransport(result, base), checkClock(answer)] : []),
    ...checkAnswer(result, addressOf(baseUrl), proxy),
  ];
}

function proxyOf({ hosts }: ProbeResult, base: URL): string | undefined {
  const port = base.port === "" ? (base.protocol === "https:" ? "443" : "80") : base.port;
  return hosts.find((host) => host !== `${base.hostname}:${port}`);
}

function checkProxy(proxy: string | undefined, env: NodeJS.ProcessEnv): Finding {
  if (proxy !== undefined) return ok("proxy", `using the proxy ${proxy} of the environment`);
  const isSet = Object.entries(env).some(([name, value]) => /^https?_proxy$/i.test(name) && value);
  return ok("proxy", isSet ? "none for this address, although the environment names one" : "none");
}

const dayMs = 24 * 60 * 60 * 1000;

/** Certificates are usually renewed earlier than this before their end, days. */
const renewalDays = 14;

function checkTransport({ tls, answer }: ProbeResult, base: URL): Finding {
  if (base.protocol === "http:") {
    if (isLoopback(base)) return ok("tls", "none, and none needed: requests do not leave this machine");
    return warning(
      "tls",
      "none: anyone between this machine and the server can read the token",
      "Use an https:// address.",
    );
  }
  if (!tls) return warning("tls", "nothing is known about the connection");
  if (!tls.trusted) {
    const advice = "Unset NODE_TLS_REJECT_UNAUTHORIZED; NODE_EXTRA_CA_CERTS names an authority of your own.";
    return failure(
      "tls",
      "the server's certificate is not checked, so another machine could pretend to be the server",
      advice,
    );
  }
  const end = Date.parse(tls.certificate.valid_to ?? "");
  const version = tls.protocol ?? "TLS";
  if (Number.isNaN(end)) return ok("tls", version);
  const message = `${version}, the certificate is valid until ${new Date(end).toISOString().slice(0, 10)}`;
  return end - (answer?.at ?? 0) < renewalDays * dayMs
    ? warning("tls", message, "Ask the server's operator to renew it.")
    : ok("tls", message);
}

/** Smaller differences come from the duration of the request and from whole seconds in the Date header. */
const clockToleranceSeconds = 60;

function checkClock({ headers, at }: Answer): Finding {
  const date = httpDate(header(headers, "date") ?? "");
  if (date === undefined) return warning("clock", "the answer has no Date header to compare this machine's clock with");
  const ahead = Math.round((at - date) / 1000);
  if (Math.abs(ahead) <= clockToleranceSeconds) return ok("clock", "within a minute of the server's");
  return warning(
    "clock",
    `this machine's clock is ${durationText(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} the server's`,
    "Set it: rotateAfter and reassertAfter use the clock of the machine that runs `pulumi up`.",
  );
}

const durationText = (seconds: number): string =>
  seconds < 2 * 86_400 ? `${seconds} s` : `${Math.round(seconds / 86_400)} days`;

function checkAnswer({ answer, error, data }: ProbeResult, address: string, proxy: string | undefined): Finding[] {
  if (!answer || error instanceof TransportError) return [checkLostAnswer(error, address, proxy)];
  const reached = ok("server", `${address} answers`);
  if (error instanceof ApiError) return checkRefusal(error, reached);
  if (error !== undefined) return [failure("server", ...textsOf(error))];
  return checkContents(answer, data, reached);
}

const aboutProxy =
  "Check the proxy of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY), and whether it may reach that address.";

function checkLostAnswer(error: unknown, address: string, proxy: string | undefined): Finding {
  const code = error instanceof TransportError ? (error.code ?? "") : "";
  const check: Check = /CERT|SELF_SIGNED|SSL|TLS/.test(code) ? "tls" : "server";
  const [message, advice] = textsOf(error);
  const viaProxy = proxy !== undefined && check === "server";
  return failure(
    check,
    `${address} cannot be used${viaProxy ? ` through ${proxy}` : ""}: ${message}`,
    viaProxy ? aboutProxy : advice,
  );
}

const notThisApi = "Check the base URL, its path included: it is the address that /v1/webhooks/ is appended to.";

/** The client accepts nearly every 2xx. A wrong base URL shows in the contents, and then nothing is known about the token. */
function checkContents(answer: Answer, data: unknown, reached: Finding): Finding[] {
  const { message } = reached;
  const { text, json } = contentsOf(answer);
  const list = readWebhookList(data);
  if (isObject(json) && json.success === true) return [reached, ...checkAccess(list)];
  if (json !== undefined) {
    return list
      ? [warning("server", `${message}, with a list, but not in this API's envelope`, notThisApi), ...checkAccess(list)]
      : [failure("server", `${message}, but with JSON that is not this API's`, notThisApi)];
  }
  if (text.trim() === "") return [warning("server", `${message}, but with nothing`, notThisApi)];
  const what = /^\s*<(!doctype html|html)/i.test(text) ? "a web page" : "something that is not JSON";
  return [failure("server", `${message}, but with ${what}: this is not the API`, notThisApi)];
}

const checkAccess = (list: readonly Webhook[] | undefined): Finding[] => [
  ok("token", "accepted"),
  ...(list ? [] : [warning("server", "no list of webhooks is found in the answer", noList)]),
  ok("scopes", `webhooks:read. ${untested}`),
];

const writeAccess = Object.values(operations)
  .filter(({ method }) => method !== "GET")
  .map(({ access }) => access)
  .join(", ");

const untested = `Write access was not tested, because testing it would change settings: ${writeAccess}.`;

const noList = "So a refresh cannot see that a webhook is gone, and no webhook can be imported.";

function contentsOf({ headers, body }: Answer): { text: string; json: unknown } {
  const decoded = decodeBody(body, headers, defaultLimits.maxResponseBytes);
  const text = decoded.kind === "text" ? decoded.text : "";
  return { text, json: parseJson(text) };
}

/** @param reached the finding for a server that answers like this API */
function checkRefusal(error: ApiError, reached: Finding): Finding[] {
  const { summary: message, hint: advice } = error;
  switch (error.status) {
    case 401:
      return [reached, failure("token", message, advice)];
    case 402:
      return [reached, warning("scopes", message, advice)];
    case 403:
      return [reached, isAboutCaller(error) ? failure("token", message, advice) : warning("scopes", message, noRead)];
    case 429:
      return [reached, warning("token", message, "It is not known whether the token is accepted: try again later.")];
    default:
      return [failure("server", ...textsOf(error))];
  }
}

/** Whether every request is refused, not only this one. */
function isAboutCaller({ code, reason }: ApiError): boolean {
  return code === "STEP_UP_REQUIRED" || refusesAddress(reason);
}

const noRead =
  "Without webhooks:read, a refresh cannot see that a webhook is gone, and imports of webhooks, listWebhooks() and init --from-server fail. " +
  untested;

/** What happened, and what to do. */
function textsOf(error: unknown): [message: string, advice: string | undefined] {
  const isOfRequest = error instanceof ApiError || error instanceof TransportError;
  return isOfRequest
    ? [error.summary.replace(/\.$/, ""), error.hint]
    : [messageOf(error).replace(/\.$/, ""), undefined];
}
