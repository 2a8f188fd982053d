import { Client } from "../../../src/client/client.js";
import { type ClientDeps, type ClientLimits, type ClientSettings } from "../../../src/client/settings.js";
import { afterTest } from "../after-test";
import { FakeTime } from "./fake-time.js";
import { rawServer, type Behaviour } from "./raw-server.js";

export const token = "vp_test_4f9c1d7e2b";

export function clientFor(
  baseUrl: string,
  limits: Partial<ClientLimits> = {},
  settings: Partial<ClientSettings> = {},
  deps: Partial<ClientDeps> = {},
): { client: Client; time: FakeTime } {
  const time = Object.assign(new FakeTime(), deps);
  const client = new Client({ baseUrl, token, ...settings }, time, limits);
  afterTest(() => client.close());
  return { client, time };
}

/** A server that does these things to one request after another, the last one for all that follow, and its client. */
export async function serve(
  behaviours: readonly Behaviour[],
  limits: Partial<ClientLimits> = {},
  deps: Partial<ClientDeps> = {},
) {
  const server = await rawServer(behaviours);
  return { server, ...clientFor(server.baseUrl, limits, {}, deps) };
}

/** The error that a promise rejects with. */
export async function failureOf<E extends Error>(promise: Promise<unknown>, type: new (facts: never) => E): Promise<E> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof type)) throw new Error(`expected ${type.name}, got ${String(error)}`);
  return error;
}
