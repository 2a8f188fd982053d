/** Many changes against a server that limits requests, in a time that only the test moves. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { Client } from "../../../src/client/client.js";
import type { ClientDeps } from "../../../src/client/settings.js";
import { token } from "../../support/client/setup.js";

interface Event {
  readonly at: number;
  readonly run: () => void;
}

/** Moves to the next event when nothing else is left to do. */
class VirtualTime implements Omit<ClientDeps, "env" | "debug"> {
  #now = 0;
  readonly #events = new Set<Event>();
  readonly now = () => this.#now;
  #seed = 1;
  /** The same numbers in each run. */
  readonly random = () => (this.#seed = (this.#seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  readonly sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      this.startTimer(ms, resolve);
    });

  readonly startTimer = (ms: number, run: () => void) => {
    const event = { at: this.#now + ms, run };
    this.#events.add(event);
    return () => void this.#events.delete(event);
  };

  async untilEnd<T>(work: Promise<T>): Promise<T> {
    const state = { isRunning: true };
    const end = work.finally(() => (state.isRunning = false));
    while (state.isRunning) {
      // A connection is free one turn after its answer.
      await nextTurn();
      await nextTurn();
      const [next] = [...this.#events].sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#events.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    return end;
  }
}

type Answer = readonly [status: number, headers?: Record<string, string>];

/** A server that answers after 20 ms. */
function setup(answerTo: (now: number, path: string) => Answer) {
  const time = new VirtualTime();
  const seen: { readonly at: number; readonly path: string; readonly status: number }[] = [];
  const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;
  let running = 0;
  let most = 0;
  const dispatcher = {
    dispatch({ path }: Dispatcher.DispatchOptions, handler: Required<Dispatcher.DispatchHandler>) {
      handler.onRequestStart(controller, {});
      const [status, headers = {}] = answerTo(time.now(), path);
      seen.push({ at: time.now(), path, status });
      most = Math.max(most, ++running);
      time.startTimer(20, () => {
        running--;
        handler.onResponseStart(controller, status, headers);
        handler.onResponseEnd(controller, {});
      });
      return true;
    },
  } as unknown as Dispatcher;
  const client = new Client({ baseUrl: "https://api.example.com", token }, Object.assign(time, { dispatcher }));
  const put = (resource: string) =>
    client.send("putRetentionPolicy", { resource }, { retention_days: 90, enabled: true });
  const rotate = (id: string) => client.send("rotateWebhookSecret", { webhook_id: id });
  return { time, seen, put, rotate, mostAtOnce: () => most };
}

const limited: Answer = [429, { "retry-after": "1" }];

/** At most `count` in each second, as gateways count. */
function perSecond(count: number) {
  const used = new Map<number, number>();
  return (now: number): Answer => {
    const second = Math.floor(now / 1000);
    used.set(second, (used.get(second) ?? 0) + 1);
    return (used.get(second) ?? 0) > count ? limited : [200];
  };
}

/** `count` tokens in each second, of which at most a second's are kept. */
function bucket(count: number) {
  let [tokens, at] = [count, 0];
  return (now: number): Answer => {
    tokens = Math.min(count, tokens + ((now - at) / 1000) * count);
    at = now;
    if (tokens < 1) return limited;
    tokens--;
    return [200];
  };
}

test.each([
  ["10 in each second", perSecond(10)],
  ["300 in each second", perSecond(300)],
  ["a bucket of 10 in a second", bucket(10)],
])(
  "1,000 changes at a server that allows %s all succeed, with at most two requests for each",
  async (_name, answerTo) => {
    const { time, seen, put, mostAtOnce } = setup(answerTo);
    const changes = Array.from({ length: 1000 }, (_, n) => put(`r${n}`));
    await time.untilEnd(Promise.all(changes));
    const carriedOut = seen.filter(({ status }) => status === 200).map(({ path }) => path);
    expect([carriedOut.length, new Set(carriedOut).size]).toEqual([1000, 1000]);
    expect(seen.length).toBeLessThanOrEqual(2000);
    expect(mostAtOnce()).toBeLessThanOrEqual(32);
  },
);

/** At most 30 in each minute. */
function perMinute(headers: (msLeft: number) => Record<string, string>) {
  const used = new Map<number, number>();
  return (now: number): Answer => {
    const minute = Math.floor(now / 60_000);
    used.set(minute, (used.get(minute) ?? 0) + 1);
    return (used.get(minute) ?? 0) > 30 ? [429, headers(60_000 * (minute + 1) - now)] : [200];
  };
}

test.each<[string, (msLeft: number) => Record<string, string>, number]>([
  ["with Retry-After", (ms) => ({ "retry-after": String(Math.ceil(ms / 1000)) }), 90],
  ["without a word on when to come back", () => ({}), 900],
])("60 rotations at a server that allows 30 in a minute, %s, all succeed", async (_name, headers, most) => {
  const { time, seen, rotate } = setup(perMinute(headers));
  await time.untilEnd(Promise.all(Array.from({ length: 60 }, (_, n) => rotate(`wh_${n}`))));
  expect(seen.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(seen.length).toBeLessThanOrEqual(most);
});

test("a server that refuses everything soon gets no request after two minutes more than any may take", async () => {
  const { time, seen, put } = setup(() => limited);
  const changes = Array.from({ length: 1000 }, (_, n) => put(`r${n}`));
  const results = await time.untilEnd(Promise.allSettled(changes));
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  expect(Math.max(...seen.map(({ at }) => at))).toBeLessThanOrEqual(180_000);
});

test.each([429, 503])(
  "after a %i with Retry-After nothing leaves until the latest, and then not all at once",
  async (status) => {
    const waits = ["2", "3", "1"];
    const { time, seen, put, rotate } = setup(() => {
      const wait = waits.shift();
      return wait === undefined ? [200] : [status, { "retry-after": wait }];
    });
    await time.untilEnd(Promise.all([...Array.from({ length: 120 }, (_, n) => put(`r${n}`)), rotate("wh_1")]));
    const times = seen.map(({ at }) => at);
    expect(times.filter((at) => at < 3000)).toEqual(Array(32).fill(0));
    expect(times[32]).toBeGreaterThanOrEqual(3020);
    expect(new Set(times.slice(32, 64)).size).toBeGreaterThan(20);
    expect(seen.filter(({ path }) => path.endsWith("rotate-secret"))).toHaveLength(1);
  },
);

test("a wait longer than any request may take holds no other one: each gets the server's own answer", async () => {
  const { time, seen, put } = setup(() => [429, { "retry-after": "3600" }]);
  const results = await time.untilEnd(Promise.allSettled(Array.from({ length: 40 }, (_, n) => put(`r${n}`))));
  expect(results.every(({ status }) => status === "rejected")).toBe(true);
  expect([seen.length, time.now()]).toEqual([40, 40]);
});
