/** Reads a text as a YAML document. */
import { parseDocument, visit, type Document, type LineCounter, type YAMLError } from "yaml";
import { problem, type Diagnostic, type Position } from "../values/diagnostic.js";

interface ParsedText {
  readonly document: Document.Parsed;
  readonly problems: readonly Diagnostic[];
}

/** The errors whose messages repeat nothing of the text. No other message is shown: the file may be any file, with passwords in it. */
const errorsThatRepeatNothing = new Set<string>([
  "BAD_INDENT",
  "BLOCK_AS_IMPLICIT_KEY",
  "BLOCK_IN_FLOW",
  "MISSING_CHAR",
  "MULTILINE_IMPLICIT_KEY",
  "TAB_AS_INDENT",
]);

const reasons: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: "a second document begins here: remove it and the line of dashes, a file can have only one",
  RESOURCE_EXHAUSTION: "maps and lists are nested too deep here",
};

function reasonIn({ code, message, pos: [offset] }: YAMLError, text: string): string {
  const reason = errorsThatRepeatNothing.has(code) ? message : (reasons[code] ?? "the file is not valid YAML here");
  // YAML reads a value that ends with a colon, such as an IPv6 address, as a map.
  const endsWithColon =
    code.startsWith("BLOCK_") && /^[^\s,{}[\]"']*:(?=[\s,}\]]|$)/.test(text.slice(offset, offset + 64));
  return endsWithColon ? `${reason}: put a value that ends with a colon in quotes` : reason;
}

/**
 * Parses a text of one document, without tags and directives: both change what other lines mean. A key that a map has twice is no problem
 * here: the library would compare each key with all others.
 */
export function parseYaml(text: string, lines: LineCounter): ParsedText {
  const directive = /^(?:\uFEFF|[ \t]*(?:#.*)?\r?\n)*%/.exec(text)?.[0];
  const options = { lineCounter: lines, prettyErrors: false, resolveKnownTags: false, uniqueKeys: false } as const;
  const document = parseDocument(text, options);
  const wrong = (reason: string, offset: number) => placed(problem("invalid-yaml", reason), lines, offset);
  if (directive !== undefined) return { document, problems: [wrong(noDirective, directive.length - 1)] };
  const { errors } = document;
  // Where the library has given up, its other errors say nothing.
  const last = errors.find(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (last) return { document, problems: [wrong(reasonIn(last, text), last.pos[0])] };
  const problems = errors.map((error) => wrong(reasonIn(error, text), error.pos[0]));
  visit(document, {
    Node(_key, { tag, range }) {
      if (tag === undefined) return undefined;
      // The library has no place of a tag: it is before its value.
      problems.push(wrong("a tag cannot be used here: remove it", text.lastIndexOf("!", range?.[0])));
      return visit.BREAK;
    },
  });
  return { document, problems };
}

const noDirective = "a directive cannot be used here: remove the lines that begin with a percent sign";

export function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

export const placed = (diagnostic: Diagnostic, lines: LineCounter, offset: number): Diagnostic => ({
  ...diagnostic,
  place: positionAt(lines, offset),
});
