/** A question to the Pulumi CLI, and its answer. */

export type PulumiAnswer =
  | { readonly kind: "done"; readonly stdout: string }
  | { readonly kind: "missing" }
  /**
   * `why` is such as "exit code 255", without the CLI's output, which may contain configuration values. `error` is the CLI's own: only
   * for commands that read none.
   */
  | { readonly kind: "failed"; readonly why: string; readonly error?: string };

/** Runs `pulumi` in a project's folder; never rejects. */
export type QueryPulumi = (args: readonly string[], folder: string) => Promise<PulumiAnswer>;
