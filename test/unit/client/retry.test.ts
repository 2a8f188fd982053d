import fc from "../../support/properties";
import { waitMs } from "../../../src/client/answer.js";
import { retryDelay } from "../../../src/client/retry.js";
import { operations, type OperationName } from "../../../src/contract/index.js";

type FailedAttempt = Parameters<typeof retryDelay>[1];

const repeatable = Object.keys(operations).filter((name): name is OperationName => name !== "rotateWebhookSecret");
const anyOperation = fc.constantFrom<OperationName>(...repeatable, "rotateWebhookSecret");

const refusal = (status: number) => ({ kind: "refusal", status, retryAfterMs: 0 }) as const;
const status = fc.integer({ min: 200, max: 599 });
const anyEnd: fc.Arbitrary<FailedAttempt> = fc.oneof(
  fc.constantFrom<FailedAttempt>({ kind: "not-sent" }, { kind: "late" }, { kind: "lost" }),
  fc.record({
    kind: fc.constant("refusal" as const),
    status: fc.oneof(status, fc.constantFrom(429, 500, 502, 503, 504)),
    retryAfterMs: fc.integer({ min: 0, max: 200_000 }),
  }),
);
const situation = fc.record({
  attempts: fc.integer({ min: 1, max: 30 }),
  remainingMs: fc.double({ min: -1000, max: 60_000, noNaN: true }),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});
const plenty = { attempts: 1, remainingMs: 60_000, random: 0.5 };
const isRetried = (operation: OperationName, end: FailedAttempt, attempts = 1) =>
  retryDelay(operation, end, { ...plenty, attempts }) !== undefined;

test("a rotation is sent again only if it was not sent, or after a 429", () => {
  fc.assert(
    fc.property(anyEnd, situation, (end, now) => {
      if (retryDelay("rotateWebhookSecret", end, now) === undefined) return;
      expect(end.kind === "not-sent" || (end.kind === "refusal" && end.status === 429)).toBe(true);
    }),
  );
});

test("no retry begins after the deadline, and none before the time that the server asked for", () => {
  fc.assert(
    fc.property(anyOperation, anyEnd, situation, (operation, end, now) => {
      const delayMs = retryDelay(operation, end, now);
      if (delayMs === undefined) return;
      expect(delayMs).toBeLessThan(now.remainingMs);
      expect(delayMs).toBeGreaterThanOrEqual(end.kind === "refusal" ? end.retryAfterMs : 0);
    }),
  );
});

test("jitter fills the whole range from nothing to a bound that doubles up to 8 s", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 19 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempts, random) => {
        const delayMs = retryDelay("listWebhooks", refusal(429), { ...plenty, attempts, random });
        expect(delayMs).toBe(random * Math.min(8000, 250 * 2 ** (attempts - 1)));
      },
    ),
  );
});

describe("the decision table", () => {
  test.each(repeatable)("%s is tried again after everything that may pass, and after nothing else", (operation) => {
    expect(isRetried(operation, { kind: "not-sent" })).toBe(true);
    expect(isRetried(operation, { kind: "lost" })).toBe(true);
    expect(isRetried(operation, { kind: "late" })).toBe(false);
    for (let code = 200; code < 600; code++)
      expect([code, isRetried(operation, refusal(code))]).toEqual([code, [408, 429, 502, 503, 504].includes(code)]);
  });

  test("a request is tried seven times, and until its time ends only if the last answer was a 429", () => {
    for (const end of [{ kind: "lost" }, { kind: "not-sent" }, refusal(503)] as const)
      expect([isRetried("listWebhooks", end, 6), isRetried("listWebhooks", end, 7)]).toEqual([true, false]);
    expect(isRetried("listWebhooks", refusal(429), 1000)).toBe(true);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");

  test.each<[header: string | undefined, ms: number]>([
    ["120", 120_000],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30_000],
    ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
    [undefined, 0],
    ...["", "soon", "soon 5", "-5", "1e9", "NaN", "5 minutes", "in May 2026", "Infinity", "Xyz, not a date GMT"].map(
      (header) => [header, 0] as [string, number],
    ),
  ])("%j asks for %j ms", (header, ms) => {
    expect(waitMs(header, now)).toBe(ms);
  });
});
