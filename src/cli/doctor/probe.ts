/** The one request that the doctor sends: the provider's own, over connections that are watched. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { TLSSocket, type PeerCertificate } from "node:tls";
import { Client, defaultLimits } from "../../client/client.js";
import { openConnections } from "../../client/connections.js";
import type { Headers } from "../../client/attempt.js";
import { listWebhooks } from "../../client/operations.js";
import type { ClientSettings } from "../../client/settings.js";
import type { Dispatcher } from "undici";

export interface ProbeResult {
  /** The list's data, where it was answered. */
  readonly data?: unknown;
  /** What the request was rejected with, where it was. */
  readonly error?: unknown;
  /** Undefined where no answer began. Its body may be cut off. */
  readonly answer: Answer | undefined;
  /** `host:port`, as URLs write it, of every machine that a connection was begun to: the server, the proxy or both. */
  readonly hosts: readonly string[];
  /** Of the connection that speaks TLS with the server. */
  readonly tls: Tls | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** When it began, ms since the epoch by this machine's clock. */
  readonly at: number;
}

export interface Tls {
  readonly protocol: string | null;
  readonly certificate: Partial<PeerCertificate>;
  /** False where the environment turns the check of certificates off. */
  readonly trusted: boolean;
}

/** Once, and soon over: whoever waits for the doctor is a person. */
const limits = { ...defaultLimits, maxAttempts: 1, maxRateLimitedAttempts: 1, connections: 1 };

/** `GET /v1/webhooks/`, one attempt. Never rejects. */
export async function probe(settings: ClientSettings, now: () => number): Promise<ProbeResult> {
  const watch = new ConnectionRecorder(now);
  try {
    return { data: await watch.during(() => send(settings, watch)), ...watch.seen };
  } catch (error) {
    return { error, ...watch.seen };
  }
}

async function send(settings: ClientSettings, watch: ConnectionRecorder): Promise<unknown> {
  const connections = await openConnections(new URL(settings.baseUrl), limits);
  try {
    const dispatcher = connections.for("GET").compose((dispatch) => (options, handler) => {
      return dispatch(options, watch.around(handler));
    });
    return await listWebhooks(new Client(settings, { dispatcher }, limits));
  } finally {
    await connections.close();
  }
}

interface Connection {
  readonly connectParams: { readonly hostname: string; readonly port: string; readonly protocol: string };
  readonly socket?: unknown;
}

/** URLs have an IPv6 address in brackets, and the transport has not. */
function inBrackets(hostname: string): string {
  return hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname}]` : hostname;
}

/** Notes what passes by, and changes nothing of it. */
class ConnectionRecorder {
  readonly #now: () => number;
  readonly #hosts = new Set<string>();
  readonly #chunks: Buffer[] = [];
  #tls: Tls | undefined;
  #answer: Omit<Answer, "body"> | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  get seen(): Pick<ProbeResult, "answer" | "hosts" | "tls"> {
    return {
      answer: this.#answer && { ...this.#answer, body: Buffer.concat(this.#chunks) },
      hosts: [...this.#hosts],
      tls: this.#tls,
    };
  }

  async during<T>(action: () => Promise<T>): Promise<T> {
    const began = (message: unknown): void => {
      const { hostname, port, protocol } = (message as Connection).connectParams;
      this.#hosts.add(`${inBrackets(hostname)}:${port || (protocol === "https:" ? "443" : "80")}`);
    };
    const stands = (message: unknown): void => {
      const { socket } = message as Connection;
      // Of a proxy's connection and the server's within it, the last one is the server's.
      if (socket instanceof TLSSocket) this.#tls = factsOf(socket);
    };
    // The only way to hear of connections that also tells of a proxy's.
    subscribe("undici:client:beforeConnect", began);
    subscribe("undici:client:connected", stands);
    try {
      return await action();
    } finally {
      unsubscribe("undici:client:beforeConnect", began);
      unsubscribe("undici:client:connected", stands);
    }
  }

  around(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
    return {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart: (controller, status, headers, message) => {
        if (status >= 200) this.#answer = { status, headers, at: this.#now() };
        handler.onResponseStart?.(controller, status, headers, message);
      },
      onResponseData: (controller, chunk) => {
        this.#chunks.push(chunk);
        handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    };
  }
}

const factsOf = (socket: TLSSocket): Tls => ({
  protocol: socket.getProtocol(),
  certificate: socket.getPeerCertificate(),
  trusted: socket.authorized,
});
