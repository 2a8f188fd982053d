import { cut, escaped } from "../values/text.js";

/**
 * A text that the engine accepts: well-formed Unicode, because gRPC fails on lone surrogates, and of limited length. Characters that
 * control a terminal or hide text are escaped as by `printable`. Line ends stay.
 */
export function engineText(text: string): string {
  // Emoji are joined by U+200D, which hides nothing.
  const shown = text.toWellFormed().replace(/(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
  return cut(shown, 8000);
}
