/** JSON of a server, made fit for everything that comes after: the engine's protocol and state, and our own recursion. */

/** Levels of arrays and objects; some thousands of them overflow the stack of whoever writes the state. */
export const maxDepth = 100;

/** The value, undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(withoutLoneSurrogates(text.startsWith("\uFEFF") ? text.slice(1) : text));
  } catch {
    return undefined;
  }
}

/** Halves of characters can be written in JSON and in no protocol of the engine, which then fails as a whole. */
function withoutLoneSurrogates(text: string): string {
  if (!text.includes("\\u")) return text;
  return text.replace(
    /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|(ud[89a-f][\da-f]{2})|[^])/gi,
    (escape, lone?: string) => (lone === undefined ? escape : "\\ufffd"),
  );
}

/** Whether arrays and objects are nested deeper than {@link maxDepth}; without recursion, so that it ends well. */
export function isDeep(value: unknown): boolean {
  let level = [value].filter(isNest);
  for (let depth = 0; depth < maxDepth; depth++) {
    if (level.length === 0) return false;
    level = level.flatMap((nest): unknown[] => Object.values(nest)).filter(isNest);
  }
  return level.length > 0;
}

function isNest(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return isNest(value) && !Array.isArray(value);
}
