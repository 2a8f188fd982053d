/**
 * The connections that requests travel on, with or without a proxy.
 *
 * Some timeouts are those of the transport and of Node. A resolver has its own, within the time for connecting. An idle connection is closed
 * after 4 s or what the server names, because only requests that may be repeated reuse one. TCP probes a silent one after 60 s.
 */
import { getDefaultAutoSelectFamily, type Socket } from "node:net";
import type { buildConnector, Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { problem } from "../values/diagnostic.js";
import type { Environment } from "../values/environment.js";
import { ConfigError } from "./errors.js";
import { isLoopback, proxiesSet, type ConnectionLimits } from "./settings.js";

export interface Connections {
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Lets running requests end, then closes the connections. */
  close(): Promise<void>;
}

/**
 * Loads the transport. Connections open with the first requests.
 *
 * @throws ConfigError if the value of a proxy variable is not a URL
 */
export async function openConnections(base: URL, limits: ConnectionLimits, env: Environment): Promise<Connections> {
  const reused = await openDispatcher(base, limits, proxiesSet(env), 1);
  // A server may close an idle connection just as a request is sent on it, and then it is unknown whether it got the request.
  // So a request that must not be repeated gets a new connection each time.
  const fresh = await openDispatcher(base, limits, proxiesSet(env), 0);
  return {
    dispatch: (request, handler) => {
      (request.idempotent === true ? reused : fresh).dispatch(request, handler);
    },
    close: async () => {
      await Promise.all([reused.close(), fresh.close()]);
    },
  };
}

const maxHeaderSize = 32 * 1024;

/** @param pipelining 0: each request has a connection of its own */
async function openDispatcher(
  base: URL,
  limits: ConnectionLimits,
  proxies: string[],
  pipelining: 0 | 1,
): Promise<Dispatcher> {
  const { connections, connectTimeoutMs: connectTimeout } = limits;
  // If a host has several addresses, Node gives each 250 ms. A slow link needs longer, and a lost first packet is sent again only after 1 s.
  const addressFamilies = {
    autoSelectFamily: getDefaultAutoSelectFamily(),
    autoSelectFamilyAttemptTimeout: Math.ceil(connectTimeout / 4),
  };
  const options = {
    connections,
    connectTimeout,
    pipelining,
    // With HTTP/2 one lost connection loses several requests, and the transport may send some of them again.
    allowH2: false,
    ...addressFamilies,
    maxHeaderSize,
  };
  const { Client, EnvHttpProxyAgent, Pool } = await import("./transport.js");
  const openClient = (origin: URL, ofPool: Pool.Options): Dispatcher => {
    // The pool passes the function that connects.
    const open = ofPool.connect as buildConnector.connector;
    return new Client(origin, { ...ofPool, connect: withoutContinue(open) });
  };
  // Plain http is allowed to this machine because it stays there. A proxy would break that.
  if (isLoopback(base) || proxies.length === 0) return new Pool(base.origin, { ...options, factory: openClient });
  try {
    // The transport does not pass these on to the connections of a proxy.
    const perConnection = addressFamilies as NonNullable<EnvHttpProxyAgent.Options["proxyTls"]>;
    const factory = (origin: string | URL, given: object) =>
      new Pool(origin, { ...options, ...given, factory: openClient });
    return new EnvHttpProxyAgent({ ...options, factory, proxyTls: perConnection, requestTls: perConnection });
  } catch {
    // Without the value: a proxy's URL may contain a password.
    const name = proxies.join(" or ");
    const example = "http://gateway.example.com:3128";
    const text = `The environment variable ${name} is not a proxy's URL, such as ${example}.`;
    throw new ConfigError(problem("proxy-url", text));
  }
}

/**
 * Some servers send "100 Continue" before an answer, although nothing asks for it. The transport takes it for the end of the connection, and the
 * answer would be lost. So it is dropped before the transport reads it.
 */
function withoutContinue(open: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    open(options, (...ended) => {
      const [, socket] = ended;
      if (socket) dropContinue(socket);
      callback(...ended);
    });
  };
}

/** Replaces what the transport calls: `write` begins a request, and `read` then gives the bytes of its answer. */
function dropContinue(socket: Socket): void {
  const write = socket.write.bind(socket) as (...of: unknown[]) => boolean;
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  /** The beginning of an answer, as long as it may be a "100 Continue". */
  let start: Buffer | undefined;
  socket.write = (...of: unknown[]) => {
    start = Buffer.alloc(0);
    return write(...of);
  };
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null || start === undefined) return chunk;
      start = afterContinue(Buffer.concat([start, chunk]));
      if (mayBeContinue(start)) continue;
      const answer = start;
      start = undefined;
      return answer;
    }
  };
}

const continuing = "HTTP/1.1 100";

function afterContinue(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1");
  const end = text.startsWith(continuing) ? text.indexOf("\r\n\r\n") : -1;
  return end < 0 ? bytes : afterContinue(bytes.subarray(end + 4));
}

/** Whether the next bytes may complete a "100 Continue". One without end is left to the transport's own limit. */
function mayBeContinue(bytes: Buffer): boolean {
  const text = bytes.toString("latin1", 0, continuing.length);
  return continuing.startsWith(text) && bytes.length <= maxHeaderSize;
}
