import { format, inspect } from "node:util";

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
