import type { OperationName } from "../../contract.js";

/** Markup that may stand in a page as it is. Made by {@link html} alone, so text never becomes markup by accident. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | readonly Html[] | string | number | undefined;

/** Markup with `parts` in it: strings are escaped, `undefined` is nothing. Attribute values must be quoted. */
export function html(markup: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: markup }, ...parts.map(render)));
}

function render(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(render).join("");
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Those of `parts` that are there. */
export function joined(parts: readonly (Html | undefined)[], separator: Html | string): Html {
  const present = parts.filter((part) => part !== undefined);
  return html`${present.map((part, index) => html`${index === 0 ? "" : separator}${part}`)}`;
}

const longestText = 120;

/**
 * What somebody else chose, a name or an address: cut where it is long, kept from turning its neighbours around where it is
 * written from right to left, and a URL broken before a slash sooner than anywhere else.
 */
export function userText(text: string): Html {
  const short = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  return html`<bdi
    >${joined(
      short.split(/(?<=:\/\/.*[^/])(?=\/[^/])/).map((part) => html`${part}`),
      html`<wbr />`,
    )}</bdi
  >`;
}

/**
 * An id, which the style sheet shortens before its last four characters. All of it is there, to be found, selected and
 * filtered by, unless it is longer than any id should be.
 */
export function shortId(id: string): Html {
  if (id.length > longestText) return userText(id);
  const [, head = "", tail = ""] = /^(.*?)(.{0,4})$/su.exec(id) ?? [];
  return html`<bdi class="id" title="${id}"><span class="head">${head}</span><span class="tail">${tail}</span></bdi>`;
}

/** @param what what is copied, for those who do not see where the button stands: "the id of Office" */
export function copyButton(text: string, what: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}" aria-label="Copy ${what}" title="Copy"></button>`;
}

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
