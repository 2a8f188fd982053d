/** Unique secrets, and a search that finds them in each spelling that the package removes. */
import { hash } from "node:crypto";
import { format, inspect } from "node:util";

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
 * The names of the canaries that `text` shows, whole or half, since a cut secret is a leak too, in plain text or escaped. Returns names,
 * because a failing test must not print the secret.
 */
export function leaksIn(text: string, canaries: Iterable<Canary>): string[] {
  return [...canaries].filter((one) => traces(one).some((trace) => text.includes(trace))).map(({ name }) => name);
}

function core(name: string, owner: string): string {
  return hash("sha256", `${owner}:${name}`).slice(0, coreLength);
}

/** Of the half that no escaping changes, both halves. */
function traces({ name, owner }: Canary): string[] {
  const text = core(name, owner);
  return [text.slice(0, coreLength / 2), text.slice(coreLength / 2)];
}

/**
 * Everything that a log or an error reporter could print of a value, hidden properties included. Getters are not
 * called.
 */
export function printed(value: unknown): string {
  const deep = { depth: 12, maxArrayLength: 1000, maxStringLength: Infinity } as const;
  const forms = [
    inspect(value, deep),
    inspect(value, { ...deep, showHidden: true }),
    format("%s %o %O %j", value, value, value, value),
    JSON.stringify(value, knownOnce()),
  ];
  if (value instanceof Error) forms.push(value.message, value.stack ?? "", String(value), inspect(value.cause, deep));
  return forms.join("\n");
}

/** JSON has no circular references. Objects of the SDK do. */
function knownOnce(): (key: string, value: unknown) => unknown {
  const seen = new Set<unknown>();
  return (_key, value) => {
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return "seen";
    seen.add(value);
    return value;
  };
}
