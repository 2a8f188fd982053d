/** One turn of one organization: takes its lock, and applies it. */
import { existsSync, readFileSync } from "node:fs";
import { apply, type ApplyResult } from "pulumi-voiceplane/apply";
import { recordOf, stateVersion } from "./database.ts";
import { explained } from "./errors.ts";
import { takeLock } from "./lock.ts";
import { problemOfName } from "./names.ts";
import { failure, noteDone, type Outcome } from "./nights.ts";
import {
  cancelLocksAfterMs,
  fullPassAfterDays,
  organizationFileOf,
  pulumiEnv,
  stackFileOf,
  stacksFolder,
} from "./settings.ts";
import { fullPassDays } from "./spreading.ts";
import { tokenOf } from "./tokens.ts";

export type Turn =
  | { readonly kind: "done"; readonly outcome: Outcome }
  /** Another run has the organization. */
  | { readonly kind: "later"; readonly reason: string }
  /** `again` tells whether another try may help, without a person. */
  | { readonly kind: "failed"; readonly outcome: Outcome; readonly again: boolean };

/** @param worker the name of this worker, for the night's table */
export async function takeTurn(name: string, worker: string): Promise<Turn> {
  const problem = problemBefore(name);
  if (problem !== undefined) return refused(problem);

  let token;
  try {
    token = await tokenOf(name);
  } catch (error) {
    return refused(explained(error));
  }

  const lock = await takeLock(name);
  if (!lock) return { kind: "later", reason: "another worker has it" };
  try {
    const result = await apply({
      folder: stacksFolder,
      stack: name,
      env: pulumiEnv(token),
      // On the lock's own connection: a worker that has lost the lock starts nothing.
      record: recordOf(lock.client, name),
      stateVersion: () => stateVersion(lock.client, name),
      skip: true,
      fullPassAfterDays: fullPassDays(name, fullPassAfterDays),
      cancelLocksAfterMs,
    });
    const { outcome, reason } = result;
    if (outcome === "locked") return { kind: "later", reason };
    const told = { ...summaryOf(result), outcome };
    if (outcome === "failed") return { kind: "failed", outcome: told, again: !reason.includes(needsPerson) };
    await noteDone(lock.client, name, worker, told);
    return { kind: "done", outcome: told };
  } catch (error) {
    return { kind: "failed", outcome: failure(explained(error), null), again: true };
  } finally {
    await lock.release().catch(() => undefined);
  }
}

/** Failures that another try would only repeat. */
const needsPerson = "the organization file is not right";

function summaryOf(result: ApplyResult): Omit<Outcome, "outcome"> {
  const { requests, rotations, uncertain, nextDueDate, seconds } = result;
  return {
    reason: result.outcome === "failed" ? result.reason : result.summary || undefined,
    requests,
    rotations,
    uncertain,
    nextDueDate,
    notes: [
      ...result.rotatedAgain.map(({ name, why }) => `${name} was rotated again (${why})`),
      ...result.staleLocks.map((lock) => `removed a stale lock (${lock})`),
      ...result.pending.map((operation) => `left for a person: ${operation}`),
    ],
    seconds,
  };
}

/** What is wrong with an organization before any process of Pulumi's runs, in one line. */
function problemBefore(name: string): string | undefined {
  const problem = problemOfName(name);
  if (problem !== undefined) return problem;
  if (!existsSync(organizationFileOf(name))) return `organizations/${name}.yaml is not on this machine`;
  const stackFile = stackFileOf(name);
  const text = existsSync(stackFile) ? readFileSync(stackFile, "utf8") : "";
  // Without the salt of the file, each machine would invent its own, and encrypt the state again.
  if (/^(encryptionsalt|secretsprovider):/m.test(text)) return undefined;
  return `stacks/Pulumi.${name}.yaml is missing, or has no encryptionsalt: run npm run adopt -- ${name}, and check the file in`;
}

/** A failure before anything ran, which another try would only repeat. */
function refused(reason: string): Turn {
  return { kind: "failed", outcome: failure(reason, 0), again: false };
}
