/** An organization for tests: the embedded control plane, a client, an engine, and a clock that only tests set. */
import { Client } from "../../src/client/client.js";
import type { Fault } from "../../src/control-plane/index.js";
import type { Lifecycle } from "../../src/lifecycle/lifecycle.js";
import { afterTest } from "./after-test";
import { failureOf } from "./client/setup";
import { controlPlane, freshRequests } from "./control-plane";
import { seeded } from "./ids.js";
import { Engine } from "./played-engine.js";

const { office, runners, carrierA: trunk, carrierB: otherTrunk, crm: webhook, billing: otherWebhook } = seeded;
/** Objects of every new control plane. */
export const ids = { office, runners, trunk, otherTrunk, webhook, otherWebhook } as const;

export type World = Awaited<ReturnType<typeof world>>;

/** @param lifecycle the kind of resource that the programs declare */
export async function world(lifecycle: { type: string }, organization = "acme") {
  const plane = await controlPlane();
  let now = new Date("2026-01-01T12:00:00Z");
  plane.control.setClock(now);
  const clientOf = (baseUrl: string, token: string): Client => {
    const client = new Client({ baseUrl, token }, { sleep: () => Promise.resolve() });
    afterTest(() => client.close());
    return client;
  };
  // The engine does not know a lifecycle's type of inputs.
  const engine = new Engine(lifecycle as unknown as Lifecycle, {
    organization,
    api: clientOf(plane.url, plane.tokens.full),
    now: () => now,
  });
  const journal = freshRequests(() => plane.control);
  return {
    engine,
    plane,
    /** The requests since the last call, such as `PUT /v1/… {"enabled":true}`. */
    journal,
    forgetRequests: () => void journal(),
    /** Sets the faults for the next requests. */
    faults: (...faults: Fault[]) => {
      plane.control.setFaults(faults);
    },
    /** Sets the clocks of the provider and of the control plane, e.g. "2026-03-01". */
    today: (date: string) => {
      now = new Date(`${date}T12:00:00Z`);
      plane.control.setClock(now);
    },
    /** Sets the provider's clock alone, to a wrong time. */
    clock: (date: string) => {
      now = new Date(`${date}T12:00:00Z`);
    },
    /** Uses another server for the same organization, for answers that the embedded one never gives. */
    talkTo: (baseUrl: string, token = plane.tokens.full) => {
      engine.around = { ...engine.around, api: clientOf(baseUrl, token) };
    },
  };
}

/** The message of the error that a promise rejects with. */
export const messageOf = async (promise: Promise<unknown>): Promise<string> =>
  (await failureOf(promise, Error)).message;
