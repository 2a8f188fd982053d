/** Secrets that can be told from everything else, and the search for them in every spelling that text takes on its way. */
import { createHash } from "node:crypto";

export interface Canary {
  readonly name: string;
  /** Tells canaries of one name apart: tests that run side by side must not find each other's in the process list. */
  readonly owner: string;
  /** Half of it are letters and digits, which no escaping changes; half are signs, which each escaping changes its own way. */
  readonly text: string;
}

const coreLength = 24;

export function canary(name: string, owner = ""): Canary {
  return { name, owner, text: `${core(name, owner)}/+"\\%&=<>$1'` };
}

/**
 * The names of the canaries that `text` shows: whole or a half of one, since a cut secret is one as well; plain, with any
 * escaping, in base64 or hex, alone or within a longer text. Names only: a failing test must not print what it complains about.
 */
export function leaksIn(text: string, canaries: Iterable<Canary>): string[] {
  return [...canaries].filter((one) => traces(one).some((trace) => text.includes(trace))).map(({ name }) => name);
}

function core(name: string, owner: string): string {
  return createHash("sha256").update(`${owner}:${name}`).digest("hex").slice(0, coreLength);
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

/** What base64 makes of `text` behind `offset` other bytes, without the characters at the ends that its neighbours decide. */
function base64Within(text: string, offset: number): string {
  const encoded = Buffer.from("\0".repeat(offset) + text).toString("base64");
  return encoded.slice(offset === 0 ? 0 : 4, Math.floor(encoded.length / 4 - 1) * 4);
}
