const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** One object is one object, whichever case its UUID is written in. Other ids stay as they are. */
export function canonicalId(text: string): string {
  return isUuid(text) ? text.toLowerCase() : text;
}
