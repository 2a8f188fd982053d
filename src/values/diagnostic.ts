/** What is wrong, in one shape from the check of a value to the line in a pull request. */
import { printable } from "./text.js";

/** Every code, and what it means. docs/reference/messages.md says what to do about each. */
export const codes = {
  // Values.
  missing: "a required property is not there",
  "wrong-value": "a value is not of the kind that its property takes",
  "unknown-property": "there is no property of this name",
  "broken-text": "a text has half of a character",
  "broken-name": "a name has half of a character",
  "reserved-name": "the engine or JavaScript has this name for itself",
  "more-problems": "more problems than are shown",

  // What a resource refuses.
  "retention-shortened": "fewer days delete data, and no allowShortening allows the step",
  "kind-changed": "a RetentionPolicy has another kind of data than before",
  "nothing-declared": "a NetworkPolicy has neither a name nor a range",
  "range-missing": "a NetworkPolicy lists addresses, and has no range to check",
  "address-left-out": "a range does not contain an address that mustInclude names",
  "address-let-in": "a range reaches an address that mustExclude names",
  "organization-changed": "a webhook belongs to another organization than the provider's",
  "rotation-unsaved": "the engine would not save the secret of a rotation",
  "declared-twice": "two resources are the same object",
  "late-on-delete": "a transform has set onDelete after the class has read it",
  "option-loses-secret": "an option of the engine would lose a webhook's secret",

  // Organization files.
  "file-unreadable": "a file cannot be read",
  "not-utf8": "a file has bytes that are not UTF-8",
  "invalid-yaml": "a file is not one YAML document",
  "empty-file": "a file has nothing in it",
  alias: "an alias in YAML cannot be followed",
  "invalid-name": "a key in YAML is no name",
  "duplicate-name": "a map has one name twice",
  "duplicate-id": "two entries have one id",
  "rewritten-value": "YAML reads a value or a name as another one",
  "former-name": "formerly names no entry that this one can take over",

  // Settings.
  "base-url-missing": "no address is set",
  "base-url": "the address cannot be used",
  "token-missing": "no token is set",
  token: "the token cannot be sent in a header",
  "token-plain": "the token is in plain text where the state would have it",
  "secret-plain": "a webhook's secret is in plain text in the configuration",
  "token-shared": "two Providers would take their tokens from one variable",
  "certificate-unchecked": "the server's certificate is not checked",
  "setting-value": "a setting has another kind of value",
  "setting-unread": "a setting is not read, and another one is probably meant",
  "wrong-time": "VOICEPLANE_NOW is no date",
  "state-folder": "VOICEPLANE_STATE_DIR is no absolute path",
  "proxy-range": "NO_PROXY has a range, which is not read",
  "organization-unnamed": "the organization has no name, so its address identifies the objects",
  "address-unpinned": "a pull request can change where a pipeline sends the token",
  "configuration-unreadable": "a stack's configuration cannot be read or decrypted",
  "stack-file-missing": "a stack has no file in the project",

  // What is installed.
  "engine-missing": "the Pulumi CLI is not installed, or does not run",
  "engine-version": "the Pulumi CLI is of an unsupported version",
  "sdk-missing": "@pulumi/pulumi is not installed",
  "sdk-version": "@pulumi/pulumi is of an unsupported version",
  typescript: "the installed TypeScript has no compiler for the engine",
  "package-missing": "this package is not where the provider's process looks for it",
  "package-version": "the project has another version of this package than the command",
  "plugin-missing": "the native plugin is not where the engine looks for it",
  "plugin-version": "the native plugin is of another version than the command",
  "project-missing": "there is no Pulumi.yaml",
  "project-unreadable": "Pulumi.yaml cannot be read as a project",

  // Stacks and servers.
  "stack-unselected": "no stack is selected",
  passphrase: "the passphrase of a stack is missing or wrong",
  "state-unreadable": "the state of a stack cannot be read",
  "state-pending": "an object is uncertain, or an update has not ended",
  "memory-unreadable": "what this machine remembers of earlier runs cannot be read",
  "not-asked": "nothing was sent to the server",
  "server-unusable": "the server cannot be reached, or is another service",
  "server-refuses": "the server refuses the token's request",
  "list-unreadable": "the server's list of webhooks cannot be read, or not as a whole",
  "webhook-unlisted": "the server's list does not have a webhook of the stack",
} as const;

export type Code = keyof typeof codes;

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
  readonly severity: "failure" | "warning";
  /** The user's property: its keys, which may contain dots themselves. */
  readonly path?: readonly PropertyKey[];
  /** Whether the last key of the path is similar to no known one, so that it may be anything. */
  readonly isStrange?: true;
  /** Undefined for what is not in a file. */
  readonly place?: Place | undefined;
  /** What is wrong and how to correct it, without any value that may be secret. */
  readonly text: string;
  /** What else to do, in sentences. */
  readonly advice?: string | undefined;
}

export const problem = (code: Code, text: string, path: readonly PropertyKey[] = []): Diagnostic => ({
  code,
  severity: "failure",
  path,
  text,
});

export const caution = (code: Code, text: string): Diagnostic => ({ code, severity: "warning", text });

/** For the order of a file's lines. */
export const byPlace = ({ place: a }: Diagnostic, { place: b }: Diagnostic): number =>
  (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);

/** As the user writes it, safe to print; empty if the diagnostic is not about one property. */
export const propertyOf = ({ path = [] }: Pick<Diagnostic, "path">): string => printable(path.map(String).join("."));

/** "retentionDays: must be …", without the code. */
export function sentenceOf(diagnostic: Pick<Diagnostic, "path" | "text">): string {
  const property = propertyOf(diagnostic);
  return property === "" ? diagnostic.text : `${property}: ${diagnostic.text}`;
}

/** A text with its code at its end, as it is printed. */
export const withCode = (text: string, code: Code): string => `${text} [${code}]`;

export const diagnosticText = (diagnostic: Diagnostic): string => withCode(sentenceOf(diagnostic), diagnostic.code);

/** The code at the end of a line that {@link withCode} has written. */
export function codeIn(line: string): Code | undefined {
  const [, code = ""] = /\[([a-z\d-]+)\]\s*$/.exec(line) ?? [];
  return Object.hasOwn(codes, code) ? (code as Code) : undefined;
}
