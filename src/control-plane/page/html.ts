import type { OperationName } from "../../contract/index.js";

/** Escaped markup. Only {@link html} creates it, so that text never becomes markup. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | readonly Html[] | string | number | undefined;

/** Escapes strings and omits `undefined`. Attribute values must be quoted. */
export function html(markup: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: markup }, ...parts.map(render)));
}

function render(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(render).join("");
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function joined(parts: readonly (Html | undefined)[], separator: Html | string): Html {
  const present = parts.filter((part) => part !== undefined);
  return html`${present.map((part, index) => html`${index === 0 ? "" : separator}${part}`)}`;
}

const longestText = 120;

export function shortened(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

/** A name or URL from outside. Cuts long text, isolates right-to-left text, and lets a URL break before a slash. */
export function userText(text: string): Html {
  return html`<bdi
    >${joined(
      shortened(text)
        .split(/(?<=:\/\/.*[^/])(?=\/[^/])/)
        .map((part) => html`${part}`),
      html`<wbr />`,
    )}</bdi
  >`;
}

/** An id. Only the style sheet shortens it, so that search and selection find the full id. */
export function shortId(id: string): Html {
  if (id.length > longestText) return userText(id);
  const [, head = "", tail = ""] = /^(.*?)(.{0,4})$/su.exec(id) ?? [];
  return html`<bdi class="id" title="${id}"><span class="head">${head}</span><span class="tail">${tail}</span></bdi>`;
}

/** @param what the copied text for screen readers, such as "the id of Office" */
export function copyButton(text: string, what: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}" aria-label="Copy ${what}" title="Copy"></button>`;
}

const minuteMs = 60_000;
const units = [
  ["day", 24 * 60 * minuteMs],
  ["hour", 60 * minuteMs],
  ["minute", minuteMs],
] as const;

/** A duration, rounded down: "3 hours", "90 days". */
export function duration(ms: number): string {
  const [unit, length] = units.find(([, length]) => ms >= length) ?? [];
  return unit === undefined ? "less than a minute" : count(Math.floor(ms / length), unit);
}

/** "1 day", "2,555 days". */
export function count(amount: number, unit: string): string {
  return `${grouped(amount)} ${unit}${amount === 1 ? "" : "s"}`;
}

export function grouped(amount: number): string {
  return amount.toLocaleString("en-US");
}

/** The date of an instant (ISO 8601), in UTC. */
export function day(instant: string): string {
  return instant.slice(0, "2026-01-01".length);
}

/** The time of an instant (ISO 8601), in UTC, with seconds. */
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
