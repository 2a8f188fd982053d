import { RequestError } from "../../../src/client/errors.js";
import { watchForStops } from "../../../src/client/stopped.js";
import { requestWebhooks, putRetentionPolicy, rotateWebhookSecret } from "../../../src/client/operations.js";
import { answer, held, success, type Behaviour } from "../../support/client/raw-server.js";
import { failureOf, serve } from "../../support/client/setup.js";

const policy = { retention_days: 30, enabled: true };

/** Clocks that only a test moves. */
function clocks() {
  const beats: (() => void)[] = [];
  const at = { monotonic: 500, uptime: 7_000 };
  const stoppedMs = watchForStops({
    monotonic: () => at.monotonic,
    uptime: () => at.uptime,
    every: (ms, beat) => {
      expect(ms).toBe(1000);
      beats.push(beat);
    },
  });
  const advance = (monotonic: number, uptime = monotonic): void => {
    at.monotonic += monotonic;
    at.uptime += uptime;
  };
  return {
    stoppedMs,
    advance,
    run: (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        advance(1000);
        for (const beat of beats) beat();
      }
    },
  };
}

test("a process that runs or is slow was not stopped, nor one whose clock was set", () => {
  const times = jest.spyOn(Date, "now");
  const real = watchForStops();
  times.mockReturnValue(Date.now() + 3_600_000);
  expect(real()).toBeUndefined();
  times.mockRestore();
  const { stoppedMs, advance, run } = clocks();
  run(3600);
  expect(stoppedMs()).toBeUndefined();
  advance(60_000);
  expect(stoppedMs()).toBeUndefined();
});

test("a stop is known before the first beat after it, and for good", () => {
  const { stoppedMs, advance, run } = clocks();
  run(10);
  advance(372_000);
  expect(stoppedMs()).toBe(372_000);
  run(600);
  expect(stoppedMs()).toBe(372_000);
});

test("a suspended machine is seen by the time since its start alone", () => {
  const suspended = clocks();
  suspended.advance(5, 372_000);
  expect(suspended.stoppedMs()).toBe(372_000);
});

const servedWith = (stoppedMs: () => number | undefined, ...behaviours: Behaviour[]) =>
  serve(behaviours, { connections: 1 }, { stoppedMs });

const why =
  "was not sent: this run was stopped for 372 s, so its lease on the state may have ended. Run the update again. [not-sent]";

test("after a stop, no change is sent, and reading goes on", async () => {
  const { server, client, time } = await servedWith(() => 372_000, success([]));
  const rotation = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
  expect(rotation).toMatchObject({
    message: `POST /v1/webhooks/wh_1/rotate-secret ${why}`,
    outcome: "not-sent",
  });
  const setting = await failureOf(putRetentionPolicy(client, "recordings", policy), RequestError);
  expect(setting.message).toBe(`PUT /v1/retention-policies/recordings ${why}`);
  expect(time.slept).toEqual([]);
  expect(server.requests).toEqual([]);
  await requestWebhooks(client);
  expect(server.requests).toHaveLength(1);
});

test("an answer that arrives after the stop counts, and the next rotation on its connection does not leave", async () => {
  const stops: number[] = [];
  const { behaviour, release } = held(success("rotated"));
  const { server, client } = await servedWith(() => stops[0], behaviour);
  const sent = rotateWebhookSecret(client, "wh_1");
  await server.seen(1);
  const queued = failureOf(rotateWebhookSecret(client, "wh_2"), RequestError);
  await new Promise(setImmediate);
  stops.push(372_000);
  release();
  expect(await sent).toBe("rotated");
  expect(await queued).toMatchObject({ outcome: "not-sent", message: `POST /v1/webhooks/wh_2/rotate-secret ${why}` });
  expect(server.requests).toHaveLength(1);
});

test("a setting whose answer was lost before the stop is not sent again, and is uncertain", async () => {
  const stops: number[] = [];
  const unavailable: Behaviour = (socket, request) => {
    stops.push(372_000);
    answer(503)(socket, request);
  };
  const { server, client } = await servedWith(() => stops[0], unavailable, success(null));
  await expect(putRetentionPolicy(client, "recordings", policy)).rejects.toMatchObject({
    status: 503,
    outcome: "unknown",
  });
  expect(server.requests).toHaveLength(1);
});
