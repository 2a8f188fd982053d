import type { OperationName } from "../../contract.js";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A length of time as people say it, rounded down: "3 hours", "90 days". Days are the largest unit. */
export function duration(ms: number): string {
  if (ms < minuteMs) return "less than a minute";
  if (ms < hourMs) return count(Math.floor(ms / minuteMs), "minute");
  if (ms < dayMs) return count(Math.floor(ms / hourMs), "hour");
  return count(Math.floor(ms / dayMs), "day");
}

/** "1 day", "2,555 days". */
export function count(amount: number, unit: string): string {
  return `${grouped(amount)} ${unit}${amount === 1 ? "" : "s"}`;
}

export function grouped(amount: number): string {
  return amount.toLocaleString("en-US");
}

/** An instant (ISO 8601) to the day, in UTC. */
export function day(instant: string): string {
  return instant.slice(0, "2026-01-01".length);
}

/** The time of the day of an instant (ISO 8601), in UTC and to the second. */
export function timeOfDay(instant: string): string {
  return instant.slice("2026-01-01T".length, "2026-01-01T00:00:00".length);
}

/** An instant (ISO 8601) to the minute: "2026-01-01 00:00 UTC". */
export function minute(instant: string): string {
  return `${day(instant)} ${timeOfDay(instant).slice(0, "00:00".length)} UTC`;
}

export const operationTitles: Record<OperationName, string> = {
  putRetentionPolicy: "Retention",
  patchNetworkPolicy: "Network policy",
  clearTrunkOutboundAuth: "Clear outbound authentication",
  rotateWebhookSecret: "Rotate signing secret",
  listWebhooks: "List webhooks",
};
