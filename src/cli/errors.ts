/** The command line was not understood; the message says which part. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** One line for a person: what went wrong, and for usage where to look. Never a stack trace. */
export function explain(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, " ");
  return error instanceof UsageError ? `${message} (try --help)` : message;
}
