import type { FaultInput } from "../../../../src/control-plane/index";
import { plane } from "../plane";
import { open, textOf } from "./reading";

const noon = Date.parse("2026-06-01T12:00:00.000Z");
const day = 86_400_000;

/** The text between the filter and the journal. */
async function conditions(server: Parameters<typeof open>[0]): Promise<string> {
  const { text } = await open(server);
  return textOf(/<div id="conditions">(.*?)<\/header>/s.exec(text)?.[1] ?? "no such part");
}

test("a new control plane has no conditions", async () => {
  expect(await conditions(await plane())).toBe("");
});

test.each([
  [90 * day, "The clock is at 2026-08-30 12:00 UTC , 90 days ahead of this machine's."],
  [-1000, "The clock is at 2026-06-01 11:59 UTC , less than a minute behind this machine's."],
])("a clock that is %d ms off is shown with its time", async (offsetMs, sentence) => {
  const server = await plane({ now: () => noon });
  server.control.setClockOffset(offsetMs);
  expect(await conditions(server)).toBe(`${sentence} Use this machine's time`);
});

test.each<[FaultInput, string]>([
  [
    { operation: "listWebhooks", effect: "status", status: 503 },
    "List webhooks · answers 503 · not carried out · until it is removed",
  ],
  [
    {
      operation: "*",
      effect: "status",
      status: 429,
      commit: true,
      retryAfter: { seconds: 7, as: "date" },
      latencyMs: 250,
      probability: 0.125,
      count: 1200,
    },
    "Every operation · answers 429 with Retry-After: 7 s · carried out · after 0.25 s · 12.5% of requests · " +
      "1,200 requests left",
  ],
  [
    { operation: "putRetentionPolicy", effect: "latency", latencyMs: 1500, count: 1 },
    "Retention · slow by 1.5 s · 1 request left",
  ],
  [
    { operation: "patchNetworkPolicy", effect: "reset" },
    "Network policy · connection reset · not carried out · until it is removed",
  ],
  [
    { operation: "clearTrunkOutboundAuth", effect: "cut" },
    "Clear outbound authentication · answer cut short · carried out · until it is removed",
  ],
  [
    { operation: "rotateWebhookSecret", effect: "hang", commit: true },
    "Rotate signing secret · no answer · carried out · until it is removed",
  ],
])("the fault %j is described in words", async (fault, sentence) => {
  const server = await plane();
  server.control.setFaults([fault]);
  expect(await conditions(server)).toBe(`A fault is set: ${sentence} Remove it`);
});

test("several faults are listed in the order in which they apply", async () => {
  const server = await plane();
  server.control.setFaults([
    { operation: "rotateWebhookSecret", effect: "reset" },
    { operation: "*", effect: "hang" },
  ]);
  expect(await conditions(server)).toBe(
    "2 faults are set. The first that matches applies: " +
      "Rotate signing secret · connection reset · not carried out · until it is removed " +
      "Every operation · no answer · not carried out · until it is removed Remove all",
  );
});
