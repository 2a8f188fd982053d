import { format, inspect } from "node:util";

/** All that a log or an error reporter could make of a value, hidden properties included. A getter is not called, as nobody does. */
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

/** JSON knows no circles; objects of the SDK have them. */
function knownOnce(): (key: string, value: unknown) => unknown {
  const seen = new Set<unknown>();
  return (_key, value) => {
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return "seen";
    seen.add(value);
    return value;
  };
}
