/** Text from elsewhere, made fit for an error message. */

/** Longest text of a server or of the transport that a message repeats, characters. */
const maxLength = 300;

/**
 * One line of bounded length without control characters, and without any of the secrets. Undefined if nothing is left.
 */
export function cleanText(text: string | undefined, secrets: Iterable<string>): string | undefined {
  if (text === undefined) return undefined;
  // First the characters, then the secrets, then the length: a secret in disguise or cut in half must not survive.
  // Format characters go as well, since they turn text around or hide parts of it.
  const line = text
    .replace(/[\p{Cf}\p{Surrogate}]/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const redacted = redact(line, secrets);
  if (redacted === "") return undefined;
  return redacted.length > maxLength ? `${redacted.slice(0, maxLength)}…` : redacted;
}

/** Replaces every secret, also as URLs, JSON and base64 spell it. */
export function redact(text: string, secrets: Iterable<string>): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret === "") continue;
    const bytes = Buffer.from(secret);
    const spellings = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      bytes.toString("base64"),
      bytes.toString("base64url"),
    ];
    for (const spelling of new Set(spellings)) redacted = redacted.replaceAll(spelling, "[redacted]");
  }
  return redacted;
}
