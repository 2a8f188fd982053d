/** Makes text of others safe to show: without secrets, without what a terminal acts on, and short. */

/** One line of at most `maxLength` characters, without control characters and secrets. Undefined if nothing is left. */
export function cleanText(text: string | undefined, secrets: Iterable<string>, maxLength = 300): string | undefined {
  const line = redact(oneLine(text), secrets);
  return line === "" ? undefined : cut(line, maxLength);
}

/** As `cleanText`, and without each long word, which may be a new secret. A word such as UNPROCESSABLE_ENTITY stays. */
export function maskedText(text: string | undefined, secrets: Iterable<string>): string | undefined {
  const line = oneLine(text).replace(/[!-~]{16,}/g, (word) => (/^[A-Z_]+$/.test(word) ? word : "[redacted]"));
  return cleanText(line, secrets);
}

/** The text as one line. This comes before secrets are replaced, so that one with control characters in it is found too. */
function oneLine(text = ""): string {
  return text
    .replace(/[\p{Cf}\p{Surrogate}]/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}

/** The first character that nobody sees, such as "a line end" or "U+200B". */
export function invisibleIn(text: string): string | undefined {
  const [found] = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.exec(text) ?? [];
  if (found === undefined) return undefined;
  if (/[\n\r]/.test(found)) return "a line end";
  return `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Replaces every secret: as it is, trimmed, each of its lines, and each of these as URLs and JSON spell it. */
export function redact(text: string, secrets: Iterable<string>): string {
  let redacted = text;
  for (const secret of secrets) {
    for (const spelling of spellingsOf(secret)) redacted = redacted.replaceAll(spelling, "[redacted]");
  }
  return redacted;
}

/** The length of a spelling that is replaced. Shorter ones may occur in any text. */
const minSpelling = 8;

function spellingsOf(secret: string): string[] {
  const parts = [secret, secret.trim(), ...secret.split(/\s*[\r\n]\s*/)];
  const others = parts.flatMap((part) => [
    part,
    encodeURIComponent(part.toWellFormed()),
    JSON.stringify(part).slice(1, -1),
  ]);
  return [...(secret === "" ? [] : [secret]), ...others.filter((spelling) => spelling.length >= minSpelling)];
}

/** Control and format characters (which can reverse or hide text), line and paragraph separators, and lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces characters that a terminal, a log or an editor would act on or hide by escapes such as `\u{1b}`. */
export function printable(text: string): string {
  return text.replace(unprintable, escaped);
}

/** As `printable`, and as one line: line ends become spaces. */
export const printableLine = (text: string): string => printable(text.replaceAll(/\s*\n\s*/g, " "));

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;

/** At most `maxLength` UTF-16 units and "…", without half of a character. */
export const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/\p{Surrogate}$/u, "")}…`;

/**
 * A text that the engine accepts: well-formed Unicode, because gRPC fails on lone surrogates, and of limited length. Characters that
 * control a terminal or hide text are escaped as by `printable`. Line ends stay.
 */
export function engineText(text: string): string {
  // Emoji are joined by U+200D, which hides nothing.
  const shown = text.toWellFormed().replace(/(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
  return cut(shown, 8000);
}
