/** Unique secrets, and a search that finds them in every encoding. */
import { hash } from "node:crypto";

export interface Canary {
  readonly name: string;
  /** Distinguishes canaries of the same name: tests that run in parallel share one process list. */
  readonly owner: string;
  /**
   * The first half is letters and digits, which no escaping changes. The second half is characters that need escaping.
   */
  readonly text: string;
}

const coreLength = 24;

export function canary(name: string, owner = ""): Canary {
  return { name, owner, text: `${core(name, owner)}/+"\\%&=<>$1'` };
}

/**
 * The names of the canaries that `text` shows, whole or half, since a cut secret is a leak too. Finds them in plain
 * text, escaped, in base64 and in hex, also inside a longer text. Returns names, because a failing test must not print
 * the secret.
 */
export function leaksIn(text: string, canaries: Iterable<Canary>): string[] {
  return [...canaries].filter((one) => traces(one).some((trace) => text.includes(trace))).map(({ name }) => name);
}

function core(name: string, owner: string): string {
  return hash("sha256", `${owner}:${name}`).slice(0, coreLength);
}

const known = new Map<string, string[]>();

function traces({ name, owner, text }: Canary): string[] {
  const found = known.get(text) ?? halves(core(name, owner)).flatMap(spellings);
  known.set(text, found);
  return found;
}

function halves(text: string): string[] {
  return [text.slice(0, coreLength / 2), text.slice(coreLength / 2)];
}

function spellings(text: string): string[] {
  return [text, Buffer.from(text).toString("hex"), ...[0, 1, 2].map((offset) => base64Within(text, offset))];
}

/**
 * The base64 of `text` after `offset` other bytes, without the characters at both ends that depend on the neighbouring
 * bytes.
 */
function base64Within(text: string, offset: number): string {
  const encoded = Buffer.from("\0".repeat(offset) + text).toString("base64");
  return encoded.slice(offset === 0 ? 0 : 4, Math.floor(encoded.length / 4 - 1) * 4);
}
