import { runInThisContext } from "node:vm";
import fc from "../../support/properties";
import { retryDecision, waitMs, type FailedAttempt, type RetryDecision } from "../../../src/client/retry.js";
import { operations, type OperationName } from "../../../src/contract/index.js";

const repeatable = Object.keys(operations).filter((name): name is OperationName => name !== "rotateWebhookSecret");
const anyOperation = fc.constantFrom<OperationName>(...repeatable, "rotateWebhookSecret");

const status = fc.integer({ min: 200, max: 599 });
const anyEnd: fc.Arbitrary<FailedAttempt> = fc.oneof(
  fc.constantFrom<FailedAttempt>({ kind: "not-sent" }, { kind: "lost" }, { kind: "unreadable" }),
  fc.record({
    kind: fc.constant("refusal" as const),
    status: fc.oneof(status, fc.constantFrom(429, 500, 502, 503, 504)),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
  }),
);
const situation = fc.record({
  attempts: fc.integer({ min: 1, max: 30 }),
  remainingMs: fc.double({ min: -1000, max: 60_000, noNaN: true }),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});
const busy = (retryAfterMs?: number): FailedAttempt => ({ kind: "refusal", status: 503, retryAfterMs });
const plenty = { attempts: 1, remainingMs: 60_000, random: 0.5 };

test("a rotation is sent again only if it was not sent, or after a 429", () => {
  fc.assert(
    fc.property(anyEnd, situation, (end, now) => {
      const verdict = retryDecision("rotateWebhookSecret", end, now);
      if (verdict.retry) expect(end.kind === "not-sent" || (end.kind === "refusal" && end.status === 429)).toBe(true);
    }),
  );
});

test("no retry begins after the deadline, and none before the time that the server asked for", () => {
  fc.assert(
    fc.property(anyOperation, anyEnd, situation, (operation, end, now) => {
      const verdict = retryDecision(operation, end, now);
      if (!verdict.retry) return;
      expect(verdict.delayMs).toBeLessThan(now.remainingMs);
      expect(verdict.delayMs).toBeGreaterThanOrEqual(end.kind === "refusal" ? (end.retryAfterMs ?? 0) : 0);
    }),
  );
});

test("jitter fills the whole range from nothing to a bound that doubles up to 8 s", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 19 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (n, r) => {
        const verdict = retryDecision(
          "listWebhooks",
          { kind: "refusal", status: 429 },
          { ...plenty, attempts: n, random: r },
        );
        expect(verdict).toEqual({ retry: true, delayMs: r * Math.min(8000, 250 * 2 ** (n - 1)) });
      },
    ),
  );
});

describe("the decision table", () => {
  const retried = (operation: OperationName, end: FailedAttempt) => retryDecision(operation, end, plenty).retry;

  test.each(repeatable)("%s is tried again after everything that may pass", (operation) => {
    expect(retried(operation, { kind: "not-sent" })).toBe(true);
    expect(retried(operation, { kind: "lost" })).toBe(true);
    for (const passing of [408, 429, 502, 503, 504])
      expect(retried(operation, { kind: "refusal", status: passing })).toBe(true);
  });

  test.each(repeatable)("%s fails at once after everything else", (operation) => {
    expect(retried(operation, { kind: "unreadable" })).toBe(false);
    fc.assert(
      fc.property(status, (code) => {
        fc.pre(![408, 429, 502, 503, 504].includes(code));
        expect(retried(operation, { kind: "refusal", status: code })).toBe(false);
      }),
    );
  });
});

test("a request is tried seven times, and until its time ends only if the last answer was a 429", () => {
  const last = (end: FailedAttempt, attempts: number) =>
    retryDecision("listWebhooks", end, { ...plenty, attempts }).retry;
  for (const end of [{ kind: "lost" }, { kind: "not-sent" }, { kind: "refusal", status: 503 }] as const) {
    expect([last(end, 6), last(end, 7)]).toEqual([true, false]);
  }
  const limited: FailedAttempt = { kind: "refusal", status: 429 };
  expect([last(limited, 7), last(limited, 1000)]).toEqual([true, true]);
});

test.each<[operation: OperationName, end: FailedAttempt, now: object, verdict: RetryDecision]>([
  ["listWebhooks", busy(61_000), {}, { retry: false, why: "retry-after" }],
  ["rotateWebhookSecret", busy(61_000), {}, { retry: false, why: "final" }],
  ["listWebhooks", { kind: "lost" }, { attempts: 7 }, { retry: false, why: "attempts" }],
  // No time left is no retry, to the millisecond.
  ["listWebhooks", busy(1000), { remainingMs: 1000 }, { retry: false, why: "retry-after" }],
  ["listWebhooks", busy(1000), { remainingMs: 1001 }, { retry: true, delayMs: 1000 }],
  ["listWebhooks", busy(), { remainingMs: 125 }, { retry: false, why: "deadline" }],
  ["listWebhooks", busy(), { remainingMs: 126 }, { retry: true, delayMs: 125 }],
  ["listWebhooks", busy(), { remainingMs: 0 }, { retry: false, why: "deadline" }],
  ["listWebhooks", busy(0), { remainingMs: 0 }, { retry: false, why: "deadline" }],
  ["listWebhooks", busy(0), { remainingMs: -1 }, { retry: false, why: "deadline" }],
  // Jitter that would pass the deadline is left out where the server named a time that does not.
  ["listWebhooks", busy(990), { remainingMs: 1000 }, { retry: true, delayMs: 990 }],
])("%s after %j with %j: %j", (operation, end, now, verdict) => {
  expect(retryDecision(operation, end, { ...plenty, ...now })).toEqual(verdict);
});

const retryAfterMs = (value: string | undefined, date: string | undefined, now: number) =>
  waitMs(503, { "retry-after": value, date }, now);

describe("the headers of a 429", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  const seconds = now / 1000;

  test.each<[headers: Record<string, string>, ms: number | undefined]>([
    [{ "x-ratelimit-reset": "17" }, 17_000],
    [{ "x-ratelimit-reset": String(seconds + 17) }, 17_000],
    [{ "x-ratelimit-reset": String(now + 17_000) }, 17_000],
    // By the server's own clock where it shows it.
    [{ "x-ratelimit-reset": String(seconds + 77), date: "Sun, 01 Mar 2026 12:01:00 GMT" }, 17_000],
    [{ "x-ratelimit-reset": String(seconds - 60) }, 0],
    [{ "x-ratelimit-reset": "Sun, 01 Mar 2026 12:00:17 GMT" }, 17_000],
    [{ "x-ratelimit-reset": "soon" }, undefined],
    [{ "ratelimit-reset": "17" }, 17_000],
    [{ ratelimit: "limit=100, remaining=0, reset=17" }, 17_000],
    [{ ratelimit: '"default";r=0;t=17' }, 17_000],
    [{ ratelimit: '"burst";r=0;t=17, "daily";r=400;t=3600' }, 17_000],
    [{ ratelimit: '"burst";r=0;t=17, "minute";r=0;t=40' }, 40_000],
    [{ ratelimit: '"default";r=5' }, undefined],
    [{ "retry-after": "3", "ratelimit-reset": "17", "x-ratelimit-reset": "90" }, 3000],
    [{ "retry-after": "soon", "ratelimit-reset": "17", "x-ratelimit-reset": "90" }, 17_000],
    [{}, undefined],
  ])("%j ask for %j ms", (headers, ms) => {
    expect(waitMs(429, headers, now)).toBe(ms);
  });

  test("are not those of another status, whose answer names its limit too", () => {
    expect(waitMs(503, { "ratelimit-reset": "17", "x-ratelimit-reset": "17", ratelimit: '"a";r=0;t=17' }, now)).toBe(
      undefined,
    );
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");

  const meaningless = ["", "soon", "-5", "1e9", "NaN", "5 minutes", "in May 2026", "Infinity", "1.x", "1."];

  test.each<[header: string | undefined, date: string | undefined, ms: number | undefined]>([
    ["120", undefined, 120_000],
    [" 0 ", undefined, 0],
    ["1.25", undefined, 1250],
    ["Sun, 01 Mar 2026 12:00:30 GMT", undefined, 30_000],
    ["Sun, 01 Mar 2026 11:00:00 GMT", undefined, 0],
    // By the server's own clock where it shows it.
    ["Sun, 01 Mar 2026 15:00:30 GMT", "Sun, 01 Mar 2026 15:00:00 GMT", 30_000],
    ["Sunday, 01-Mar-26 12:00:30 GMT", "nonsense", 30_000],
    ["Sun Mar  1 12:00:30 2026", undefined, 30_000],
    ["by Sun, 01 Mar 2026 12:00:30 GMT", undefined, undefined],
    [undefined, undefined, undefined],
    ...meaningless.map((header) => [header, undefined, undefined] as [string, undefined, undefined]),
  ])("%j, with the date %j, asks for %j ms", (header, date, ms) => {
    expect(retryAfterMs(header, date, now)).toBe(ms);
  });

  describe.each(["America/New_York", "Asia/Kolkata"])("on a machine in %s", (zone) => {
    // A test's own process.env is a copy, which sets no time zone.
    const { env } = runInThisContext("process") as NodeJS.Process;
    const before = env.TZ;

    beforeAll(() => {
      env.TZ = zone;
      expect(new Date(now).getHours()).not.toBe(12);
    });

    afterAll(() => {
      if (before === undefined) delete env.TZ;
      else env.TZ = before;
    });

    test("as a date without a zone means GMT, and a date with one keeps it", () => {
      expect(retryAfterMs("Sun Mar  1 12:00:30 2026", undefined, now)).toBe(30_000);
      expect(retryAfterMs("Sun Mar  1 14:00:30 2026 +0200", undefined, now)).toBe(30_000);
      expect(retryAfterMs("Sun, 01 Mar 2026 12:00:30 GMT", undefined, now)).toBe(30_000);
    });
  });

  test("is never negative, infinite or NaN, whatever the header", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (header) => {
          const ms = retryAfterMs(header, undefined, now);
          if (ms !== undefined) expect(ms >= 0 && Number.isFinite(ms)).toBe(true);
        },
      ),
    );
  });
});
