/** Makes text from elsewhere fit for an error message. */

/** One line of at most `maxLength` characters, without control characters and secrets. Undefined if nothing is left. */
export function cleanText(text: string | undefined, secrets: Iterable<string>, maxLength = 300): string | undefined {
  if (text === undefined) return undefined;
  // This order matters: a secret with characters in between, or cut in half, must not survive.
  // Format characters go too, since they can reverse or hide text.
  const line = text
    .replace(/[\p{Cf}\p{Surrogate}]/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const redacted = redact(line, secrets);
  if (redacted === "") return undefined;
  return redacted.length > maxLength ? `${redacted.slice(0, maxLength)}…` : redacted;
}

/** Replaces every secret, also in the spellings of URLs, JSON and base64. */
export function redact(text: string, secrets: Iterable<string>): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret === "") continue;
    const bytes = Buffer.from(secret);
    const [inUrl, inJson] = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
    for (const spelling of [secret, inUrl, inJson, bytes.toString("base64"), bytes.toString("base64url")]) {
      redacted = redacted.replaceAll(spelling, "[redacted]");
    }
  }
  return redacted;
}
