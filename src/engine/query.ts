/** Runs the Pulumi CLI. `voiceplane doctor` only runs commands that change nothing. */
import { execFile } from "node:child_process";

export type PulumiAnswer =
  | { readonly kind: "done"; readonly stdout: string }
  | { readonly kind: "missing" }
  /** `why` is "exit code 255" or {@link noSuchStack}, without the CLI's output, which may hold configuration values. */
  | { readonly kind: "failed"; readonly why: string };

export const noSuchStack = "there is no such stack";

/** Runs `pulumi` in a project's folder; never rejects. */
export type RunPulumi = (args: readonly string[], folder: string) => Promise<PulumiAnswer>;

/** The stack that commands without `--stack` use; undefined if none is selected. */
export async function selectedStack(pulumi: RunPulumi, folder: string): Promise<string | undefined> {
  const answer = await pulumi(["stack", "--show-name"], folder);
  return answer.kind === "done" ? answer.stdout.trim() : undefined;
}

/** Long enough for a slow backend or secrets manager. */
const timeoutMs = 30_000;

export function pulumiOf(env: NodeJS.ProcessEnv): RunPulumi {
  return (args, folder) =>
    new Promise((resolve) => {
      const options = {
        cwd: folder,
        env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "1" },
        timeout: timeoutMs,
        maxBuffer: 256 * 1024 * 1024, // The export of 10,000 resources has 17 MB.
      };
      const child = execFile("pulumi", [...args, "--non-interactive"], options, (error, stdout, stderr) => {
        if (!error) resolve({ kind: "done", stdout });
        else if (error.code === "ENOENT") resolve({ kind: "missing" });
        // The exit code is 255 or 6, depending on the version.
        else if (stderr.includes("no stack named")) resolve({ kind: "failed", why: noSuchStack });
        else resolve({ kind: "failed", why: reasonOf(error) });
      });
      // The CLI must not wait for a passphrase.
      child.stdin?.end();
    });
}

function reasonOf({ killed, code, signal }: { killed?: boolean; code?: unknown; signal?: unknown }): string {
  if (killed === true) return `no answer within ${timeoutMs / 1000} s`;
  return typeof code === "number" ? `exit code ${code}` : String(signal ?? code);
}
