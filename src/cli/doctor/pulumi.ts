/** The Pulumi CLI, as far as the doctor asks it: only commands that change nothing. */
import { execFile } from "node:child_process";

export type PulumiAnswer =
  | { readonly kind: "done"; readonly stdout: string }
  | { readonly kind: "missing" }
  /** `why` is for a person: "exit code 255", or {@link noSuchStack}. What the CLI printed is not in it, since it may hold configuration values. */
  | { readonly kind: "failed"; readonly why: string };

/** Why a command about a stack fails that the backend does not have. */
export const noSuchStack = "there is no such stack";

/** Runs `pulumi` in a project's folder; never rejects. */
export type RunPulumi = (args: readonly string[], folder: string) => Promise<PulumiAnswer>;

/** The stack that commands without `--stack` are about, as the CLI and PULUMI_STACK have it; undefined for none. */
export async function selectedStack(pulumi: RunPulumi, folder: string): Promise<string | undefined> {
  const answer = await pulumi(["stack", "--show-name"], folder);
  return answer.kind === "done" ? answer.stdout.trim() : undefined;
}

/** A backend or a secrets manager may be slow; one that takes longer is out of reach. */
const timeoutMs = 30_000;

/** @param env where PATH names the CLI's folder */
export function pulumiOf(env: NodeJS.ProcessEnv): RunPulumi {
  return (args, folder) =>
    new Promise((resolve) => {
      const options = {
        cwd: folder,
        env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "1" },
        timeout: timeoutMs,
        maxBuffer: 16 * 1024 * 1024,
      };
      const child = execFile("pulumi", [...args, "--non-interactive"], options, (error, stdout, stderr) => {
        if (!error) resolve({ kind: "done", stdout });
        else if (error.code === "ENOENT") resolve({ kind: "missing" });
        // The exit code depends on the version: 255 or 6.
        else if (stderr.includes("no stack named")) resolve({ kind: "failed", why: noSuchStack });
        else resolve({ kind: "failed", why: reasonOf(error) });
      });
      // A CLI that asks for a passphrase all the same must not wait for one.
      child.stdin?.end();
    });
}

function reasonOf({ killed, code, signal }: { killed?: boolean; code?: unknown; signal?: unknown }): string {
  if (killed === true) return `no answer within ${timeoutMs / 1000} s`;
  return typeof code === "number" ? `exit code ${code}` : String(signal ?? code);
}
