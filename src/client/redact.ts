/** Makes text from elsewhere fit for an error message, and any text fit for the engine. */

/** One line of at most `maxLength` characters, without control characters and secrets. Undefined if nothing is left. */
export function cleanText(text: string | undefined, secrets: Iterable<string>, maxLength = 300): string | undefined {
  const line = redact(oneLine(text), secrets);
  return line === "" ? undefined : cut(line, maxLength);
}

/** The same, also without all that may be a secret nobody knows yet: each long word, except names of codes. */
export function maskedText(text: string | undefined, secrets: Iterable<string>): string | undefined {
  const line = oneLine(text).replace(/[!-~]{16,}/g, (word) => (/^[A-Z_]+$/.test(word) ? word : "[redacted]"));
  return cleanText(line, secrets);
}

/** Before secrets are searched: one with characters in between must not survive. Format characters can reverse or hide text. */
function oneLine(text = ""): string {
  return text
    .replace(/[\p{Cf}\p{Surrogate}]/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}

/**
 * A text as the engine can take it: of whole characters, because gRPC fails on halves of them, and of limited length. What would
 * control a terminal or hide text is shown as JSON would escape it. Lines stay.
 */
export function engineText(text: string, maxLength = 8000): string {
  // Emoji are joined by U+200D, which hides nothing.
  const printable = text
    .toWellFormed()
    .replace(/(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    );
  return cut(printable, maxLength);
}

/** At most `maxLength` characters, and not within one. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // What people see as one character may be as long as the whole text.
  const end = new Intl.Segmenter().segment(text.slice(0, 2 * maxLength)).containing(maxLength)?.index ?? 0;
  return `${text.slice(0, end === 0 ? maxLength : end).replace(/\p{Surrogate}$/u, "")}…`;
}

/** Replaces every secret, also in the spellings of URLs, JSON, hex and base64, and in base64 of a text that contains it. */
export function redact(text: string, secrets: Iterable<string>): string {
  let redacted = text;
  for (const secret of secrets) {
    for (const spelling of spellingsOf(secret)) redacted = redacted.replaceAll(spelling, "[redacted]");
  }
  return redacted;
}

/** A spelling that is shorter may be a part of any text. */
const minSpelling = 8;

function spellingsOf(secret: string): string[] {
  if (secret === "") return [];
  const bytes = Buffer.from(secret);
  const inUrl = encodeURIComponent(secret.toWellFormed());
  const inJson = JSON.stringify(secret).slice(1, -1);
  const hex = bytes.toString("hex");
  const others = [
    ...[inUrl, inUrl.replaceAll(/%../g, (code) => code.toLowerCase()), inJson, inJson.replaceAll("/", "\\/")],
    ...[hex, hex.toUpperCase(), bytes.toString("base64"), bytes.toString("base64url"), ...base64Of(bytes)],
  ];
  return [secret, ...others.filter((spelling) => spelling.length >= minSpelling)];
}

/** The secret in base64 of a longer text: three spellings, as three bytes are four characters, without those that hold other bytes too. */
function base64Of(bytes: Buffer): string[] {
  const fragments = [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
  });
  return fragments.flatMap((one) => [one, one.replaceAll("+", "-").replaceAll("/", "_")]);
}
