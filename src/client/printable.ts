/** Makes any text safe to print, and safe for the engine. */

/** Control and format characters (which can reverse or hide text), line and paragraph separators, and lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces characters that a terminal, a log or an editor would act on or hide by escapes such as `\u{1b}`. */
export function printable(text: string): string {
  return text.replace(unprintable, escaped);
}

/** The same as one line: line ends become spaces. */
export const printableLine = (text: string): string => printable(text.replaceAll(/\s*\n\s*/g, " "));

export const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;

/**
 * A text that the engine accepts: well-formed Unicode, because gRPC fails on lone surrogates, and of limited length. Characters that
 * control a terminal or hide text are escaped as by `printable`. Line ends stay.
 */
export function engineText(text: string): string {
  // Emoji are joined by U+200D, which hides nothing.
  const shown = text.toWellFormed().replace(/(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
  return cut(shown, 8000);
}

/** At most `maxLength` UTF-16 units and "…", never cut within a character. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // What is shown as one character may be as long as the whole text.
  const end = new Intl.Segmenter().segment(text.slice(0, 2 * maxLength)).containing(maxLength)?.index ?? 0;
  return `${text.slice(0, end === 0 ? maxLength : end).replace(/\p{Surrogate}$/u, "")}…`;
}
