/** Reads the bytes of a file as a YAML document. */
import { problem, type Diagnostic, type Position } from "../values/diagnostic.js";
import { Composer, Lexer, Parser, type Document, type LineCounter, type YAMLError } from "yaml";

/** The text of a file in UTF-8, or the place of the first byte that is not valid. */
export function decodeUtf8(bytes: Uint8Array): string | Position {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return firstWrongByte(bytes);
  }
}

export const notUtf8 = "is not UTF-8 here: save the file as UTF-8";

function firstWrongByte(bytes: Uint8Array): Position {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for (const byte of bytes) text += decoder.decode(Uint8Array.of(byte), { stream: true });
  } catch {
    // The text ends before this byte.
  }
  const lines = text.split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** How many levels of maps and lists a file may have. Thousands would overflow the library's stack. */
const maxDepth = 100;

class TooDeep extends Error {
  constructor(readonly offset: number) {
    super();
  }
}

interface ParsedText {
  /** Undefined if the text is nested too deeply. */
  readonly document: Document.Parsed | undefined;
  readonly problems: readonly Diagnostic[];
}

/** The errors whose messages repeat nothing of the text. No other message is shown: the file may be any file, with passwords in it. */
const withoutQuotes = new Set<string>([
  "BAD_INDENT",
  "BLOCK_AS_IMPLICIT_KEY",
  "MISSING_CHAR",
  "MULTILINE_IMPLICIT_KEY",
  "TAB_AS_INDENT",
]);

function reasonOf({ code, message }: YAMLError): string {
  if (withoutQuotes.has(code)) return message;
  return code === "TAG_RESOLVE_FAILED" ? "the tag here is not known: remove it" : "the file is not valid YAML here";
}

/** Parses a text of one document. A key that a map has twice is no problem here: the library would compare each key with all others. */
export function parseYaml(text: string, lines: LineCounter): ParsedText {
  // The library would print warnings on standard error, which quote the text.
  const composer = new Composer({ uniqueKeys: false, logLevel: "error" });
  try {
    const [document, second] = composer.compose(tokensOf(text, lines), true, text.length);
    const problems = [...(document?.errors ?? []), ...(document?.warnings ?? [])].map((error) =>
      placed(problem("invalid-yaml", reasonOf(error)), lines, error.pos[0]),
    );
    if (second) problems.push(placed(problem("invalid-yaml", secondDocument), lines, second.range[0]));
    return { document, problems };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    const text = `maps and lists are nested here more than ${maxDepth} levels deep`;
    return { document: undefined, problems: [placed(problem("invalid-yaml", text), lines, error.offset)] };
  }
}

/** The diagnostic, at the place of this offset. */
export function placed(diagnostic: Diagnostic, lines: LineCounter, offset: number): Diagnostic {
  const { line, col } = lines.linePos(offset);
  return { ...diagnostic, place: { line, column: col } };
}

const secondDocument = "a second document begins here: remove it and the line of dashes, a file can have only one";

/** The library's own loop of its lexer and its parser, with a limit of depth. */
function* tokensOf(text: string, lines: LineCounter) {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > maxDepth) throw new TooDeep(parser.offset);
  }
  yield* parser.end();
}
