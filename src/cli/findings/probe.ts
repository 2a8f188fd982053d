/** The one request of `voiceplane doctor`, sent by the provider's client over recorded connections. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { TLSSocket, type PeerCertificate } from "node:tls";
import { Client, defaultLimits } from "../../client/client.js";
import { openDispatcher } from "../../client/connections.js";
import type { Headers } from "../../client/attempt.js";
import { listWebhooks } from "../../client/operations.js";
import type { ClientSettings } from "../../client/settings.js";
import type { Dispatcher } from "undici";

export interface ProbeResult {
  /** The data of a successful answer. */
  readonly data?: unknown;
  /** Why the request failed. */
  readonly error?: unknown;
  /** Undefined if no answer arrived. The body may be incomplete. */
  readonly answer: Answer | undefined;
  /** `host:port` of every connection that was started: to the server, a proxy, or both. */
  readonly hosts: readonly string[];
  /** Of the TLS connection to the server. */
  readonly tls: Tls | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** When it arrived, by this machine's clock, ms since the epoch. */
  readonly at: number;
}

interface Tls {
  readonly protocol: string | null;
  readonly certificate: Partial<PeerCertificate>;
  /** False if the environment turns off the check of certificates. */
  readonly trusted: boolean;
}

/** One attempt: a person waits for the result. */
const limits = { ...defaultLimits, maxAttempts: 1, maxRateLimitedAttempts: 1, connections: 1 };

/** `GET /v1/webhooks/`, one attempt. Never rejects. */
export async function probe(settings: ClientSettings, now: () => number): Promise<ProbeResult> {
  const hosts = new Set<string>();
  const chunks: Buffer[] = [];
  const seen: { tls?: Tls; answer?: Omit<Answer, "body"> } = {};
  const onStarted = (message: unknown): void => {
    const { hostname, port, protocol } = (message as Connection).connectParams;
    hosts.add(`${inBrackets(hostname)}:${port || (protocol === "https:" ? "443" : "80")}`);
  };
  const onConnected = (message: unknown): void => {
    const { socket } = message as Connection;
    // With a proxy there are two connections. The last one is the server's.
    if (socket instanceof TLSSocket) seen.tls = factsOf(socket);
  };
  const recording: Recording = (handler) => ({
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart: (controller, status, headers, message) => {
      if (status >= 200) seen.answer = { status, headers, at: now() };
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData: (controller, chunk) => {
      chunks.push(chunk);
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  });
  // Only these channels also report connections to a proxy.
  subscribe("undici:client:beforeConnect", onStarted);
  subscribe("undici:client:connected", onConnected);
  const result = await send(settings, recording).then(
    (data) => ({ data }),
    (error: unknown) => ({ error }),
  );
  unsubscribe("undici:client:beforeConnect", onStarted);
  unsubscribe("undici:client:connected", onConnected);
  const { tls, answer } = seen;
  return { ...result, answer: answer && { ...answer, body: Buffer.concat(chunks) }, hosts: [...hosts], tls };
}

type Recording = (handler: Dispatcher.DispatchHandler) => Dispatcher.DispatchHandler;

async function send(settings: ClientSettings, recording: Recording): Promise<unknown> {
  const connection = await openDispatcher(new URL(settings.baseUrl), limits, 1);
  try {
    const dispatcher = connection.compose((dispatch) => (options, handler) => dispatch(options, recording(handler)));
    return await listWebhooks(new Client(settings, { dispatcher }, limits));
  } finally {
    await connection.close();
  }
}

interface Connection {
  readonly connectParams: { readonly hostname: string; readonly port: string; readonly protocol: string };
  readonly socket?: unknown;
}

/** URLs have brackets around an IPv6 address; the transport does not. */
function inBrackets(hostname: string): string {
  return hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname}]` : hostname;
}

const factsOf = (socket: TLSSocket): Tls => ({
  protocol: socket.getProtocol(),
  certificate: socket.getPeerCertificate(),
  trusted: socket.authorized,
});
