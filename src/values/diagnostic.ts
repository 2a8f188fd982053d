/** What is wrong, in one shape from the check of a value to the line in a pull request. */
import { codes, type Code } from "./codes.js";
import { printable } from "./text.js";

export interface Position {
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

export interface Place extends Partial<Position> {
  readonly file?: string;
}

export interface Diagnostic {
  readonly code: Code;
  readonly severity: "problem" | "warning";
  /** The user's property: its keys, which may contain dots themselves. */
  readonly path?: readonly PropertyKey[];
  /** Undefined for what is not in a file. */
  readonly place?: Place | undefined;
  /** What is wrong and how to correct it, without any value that may be secret. */
  readonly text: string;
  /** What else to do, in sentences. */
  readonly advice?: string | undefined;
}

export const problem = (code: Code, text: string, path: readonly PropertyKey[] = []): Diagnostic => ({
  code,
  severity: "problem",
  path,
  text,
});

export const warning = (code: Code, text: string): Diagnostic => ({ code, severity: "warning", text });

/** Sorts diagnostics in the order of a file's lines. */
export const byPlace = ({ place: a }: Diagnostic, { place: b }: Diagnostic): number =>
  (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);

/** The property as the user writes it, safe to print; empty if the diagnostic is not about one. */
export const propertyOf = ({ path = [] }: Pick<Diagnostic, "path">): string => printable(path.map(String).join("."));

/** "retentionDays: must be …", without the code. */
export function sentenceOf(diagnostic: Pick<Diagnostic, "path" | "text">): string {
  const property = propertyOf(diagnostic);
  return property === "" ? diagnostic.text : `${property}: ${diagnostic.text}`;
}

/** A text with its code at its end, as it is printed. */
export const withCode = (text: string, code: Code): string => `${text} [${code}]`;

/** The diagnostic with the name of the file that its place is in. */
export const inFile = (diagnostic: Diagnostic, file: string): Diagnostic =>
  diagnostic.place === undefined ? diagnostic : { ...diagnostic, place: { ...diagnostic.place, file } };

/** "organization.yaml:2:23"; empty without a file. */
export const placeText = ({ place: { file, line, column } = {} }: Pick<Diagnostic, "place">): string =>
  file === undefined ? "" : [printable(file), line, column].filter((part) => part !== undefined).join(":");

/**
 * As it is printed, with the advice in a line of its own: "organization.yaml:2:23 retention.recordings.days: must be … [wrong-value]". A place
 * without a file is not shown.
 */
export function diagnosticText(diagnostic: Diagnostic): string {
  const sentence = [placeText(diagnostic), sentenceOf(diagnostic)].filter((part) => part !== "").join(" ");
  return withCode(diagnostic.advice === undefined ? sentence : `${sentence}\n${diagnostic.advice}`, diagnostic.code);
}

/** What {@link diagnosticText} has written; undefined for any other text. The engine carries nothing but text from a provider to a report. */
export function diagnosticIn(text: string): Diagnostic | undefined {
  const [, property, sentence = "", code = ""] = /^(?:([^\s:]+): )?([^]*) \[([a-z\d-]+)\]$/.exec(text) ?? [];
  return Object.hasOwn(codes, code) ? problem(code as Code, sentence, property?.split(".")) : undefined;
}

/** What a program declares, as messages name it: `Organization "acme"`. */
export const ownerText = (type: string, name: string): string => `${type} "${printable(name)}"`;

/** Several problems, with a line for each below the heading. */
export const blockText = (heading: string, problems: readonly Diagnostic[]): string =>
  [`${heading}:`, ...problems.map((each) => printable(diagnosticText(each)))].join("\n  ");

interface Block {
  readonly heading: string;
  /** What the heading names, if it is an {@link ownerText}. */
  readonly owner: { readonly type: string; readonly name: string } | undefined;
  readonly problems: readonly Diagnostic[];
}

/** What {@link blockText} has written; undefined for any other text. */
export function blockIn(text: string): Block | undefined {
  const [heading = "", ...lines] = text.split(/\r?\n */);
  const problems = lines.map(diagnosticIn);
  if (problems.length === 0 || !problems.every((each) => each !== undefined)) return undefined;
  const [, type, name] = /^(\w+) "(.*)":$/.exec(heading) ?? [];
  const owner = type === undefined || name === undefined ? undefined : { type, name };
  return { heading, owner, problems };
}

export const errorOf = (code: Code, text: string): Error => new Error(withCode(text, code));
