/** Names from files and servers in a form that is safe to print. */

/** Control and format characters (which can reverse or hide text), other line ends, and halves of characters. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** With an escape such as `\u{1b}` for each character that a terminal, a log or an editor would act on or hide. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`);
}

/** Text with names from files, servers and command lines, safe to print as one line: line ends become spaces. */
export const printableLine = (text: string): string => printable(text.replaceAll(/\s*\n\s*/g, " "));
