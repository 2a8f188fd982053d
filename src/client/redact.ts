/** Text from elsewhere, made fit for an error message. */

/** Longest text of a server or of the transport that a message repeats, characters. */
const usualLength = 300;

/**
 * One line of bounded length without control characters, and without any of the secrets. Undefined if nothing is left.
 *
 * @param maxLength characters
 */
export function cleanText(
  text: string | undefined,
  secrets: Iterable<string>,
  maxLength = usualLength,
): string | undefined {
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
      ...withinBase64(bytes),
    ];
    for (const spelling of new Set(spellings)) redacted = redacted.replaceAll(spelling, "[redacted]");
  }
  return redacted;
}

/** Shortest part of a secret that is looked for within longer base64 text, characters: shorter ones would be found anywhere. */
const minWithin = 8;

/**
 * What base64 makes of a secret that stands within a longer text, such as "Bearer …": each place among its groups of three
 * bytes gives another spelling, of which only the middle does not depend on the neighbours.
 */
function withinBase64(bytes: Buffer): string[] {
  return [0, 1, 2]
    .flatMap((offset) =>
      (["base64", "base64url"] as const).map((encoding) => {
        const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
        const groups = whole.subarray(0, whole.length - (whole.length % 3)).toString(encoding);
        return groups.slice(offset === 0 ? 0 : 4);
      }),
    )
    .filter((middle) => middle.length >= minWithin);
}
