/** Unique secrets, and the search for them. */
import { inspect } from "node:util";

/** A part of every secret here. Any output that contains it, however encoded, is a leak. */
const mark = "CANARY";

/** Has characters that URLs, JSON and regular expressions treat specially. */
export const token = `vp_${mark}/t+o%k"e\\n=$&`;

export const secretNumber = (n: number): string => `whsec_${mark}_0123456789_${n}`;

/** How a server might repeat a text in its errors. */
export const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Bearer ${text}`,
  (text) => encodeURIComponent(text),
  (text) => JSON.stringify(text),
  (text) => `${text.slice(0, 5)}\u200b${text.slice(5)}`,
  (text) => `${"x".repeat(290)}${text}`,
];

const traces = [mark, ...spellings.map((spell) => spell(token))];

/** Throws if any printable form of `value` shows a secret. */
export function expectNoSecret(value: unknown): void {
  for (const text of printed(value)) {
    const trace = traces.find((secret) => text.includes(secret));
    if (trace !== undefined) throw new Error(`a secret is shown: ${text}`);
  }
}

function printed(value: unknown): string[] {
  const texts = [inspect(value, { depth: 20, showHidden: true }), String(value), JSON.stringify([value])];
  return value instanceof Error ? [...texts, value.message, value.stack ?? ""] : texts;
}
