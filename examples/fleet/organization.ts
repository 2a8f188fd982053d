/** One turn of one organization: takes its lock, and applies it. */
import { existsSync, readFileSync } from "node:fs";
import { apply, type ApplyResult } from "pulumi-voiceplane/apply";
import { hasKey } from "./adopting.ts";
import { recordOf, stateVersion, withConnection } from "./database.ts";
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
import { NoTokenError, tokenOf } from "./tokens.ts";

export type Turn =
  | { readonly kind: "done"; readonly outcome: Outcome }
  /** Another run has the organization. */
  | { readonly kind: "later"; readonly reason: string }
  | {
      readonly kind: "failed";
      readonly outcome: Outcome;
      /** Whether another try may help, without a person. */
      readonly again: boolean;
      /** By the clock of PostgreSQL; undefined if nothing was run. */
      readonly begun?: string;
    };

/** @param worker the name of this worker, for the night's table */
export async function takeTurn(name: string, worker: string): Promise<Turn> {
  const problem = problemOfName(name);
  if (problem !== undefined) return refused(problem, false);
  // Another worker's copy of the files may be newer.
  const missing = missingFile(name);
  if (missing !== undefined) return refused(missing, true);

  let token;
  try {
    token = await tokenOf(name);
  } catch (error) {
    return refused(explained(error), !(error instanceof NoTokenError));
  }

  const lock = await takeLock(name);
  if (!lock) return { kind: "later", reason: "another worker has it" };
  const begun = lock.since;
  // On the lock's own connection: a worker that has lost the lock starts nothing.
  const record = recordOf(lock.client, name);
  let told: Outcome | undefined;
  try {
    const result = await apply({
      folder: stacksFolder,
      stack: name,
      env: pulumiEnv(token),
      record,
      stateVersion: () => stateVersion(lock.client, name),
      skip: true,
      fullPassAfterDays: fullPassDays(name, fullPassAfterDays),
      cancelLocksAfterMs,
    });
    const { outcome, reason } = result;
    if (outcome === "locked") return { kind: "later", reason };
    const done = { ...summaryOf(result), outcome };
    if (outcome === "failed") return { kind: "failed", outcome: done, again: !reason.includes(needsPerson), begun };
    told = done;
    // What was done is noted also if the lock's connection broke meanwhile, and with it the end of the record.
    await noteDone(lock.client, name, worker, done, begun).catch(() =>
      withConnection(async (client) => {
        await record.forget(client);
        await noteDone(client, name, worker, done, begun);
      }),
    );
    return { kind: "done", outcome: done };
  } catch (error) {
    const failed = failure(explained(error), null);
    return {
      kind: "failed",
      outcome: { ...failed, ...told, outcome: "failed", reason: failed.reason },
      again: true,
      begun,
    };
  } finally {
    await lock.release().catch(() => undefined);
  }
}

/** Failures that another try would only repeat. */
const needsPerson = "the organization file is not right";

function summaryOf(result: ApplyResult): Omit<Outcome, "outcome"> {
  const { requests, rotatedEarlier, uncertain, nextDueDate, seconds } = result;
  return {
    reason: result.outcome === "failed" ? result.reason : result.summary || undefined,
    requests,
    rotations: result.rotations + rotatedEarlier.length,
    uncertain,
    nextDueDate,
    notes: [
      ...rotatedEarlier.map(({ name, at }) => `${name} was rotated at ${at}, by a run whose worker died`),
      ...result.rotatedAgain.map(({ name, why }) => `${name} was rotated again (${why})`),
      ...result.staleLocks.map((lock) => `removed a stale lock (${lock})`),
      ...result.pending.map((operation) => `left for a person: ${operation}`),
    ],
    seconds,
  };
}

/** What an organization lacks on this machine, in one line. */
function missingFile(name: string): string | undefined {
  if (!existsSync(organizationFileOf(name))) return `organizations/${name}.yaml is not on this machine`;
  const stackFile = stackFileOf(name);
  const text = existsSync(stackFile) ? readFileSync(stackFile, "utf8") : "";
  // Without the salt of the file, each machine would invent its own, and encrypt the state again.
  if (hasKey(text)) return undefined;
  return `stacks/Pulumi.${name}.yaml is missing, or has no encryptionsalt: run npm run adopt -- ${name} --base-url URL, and check the file in`;
}

/** A failure before anything ran. */
function refused(reason: string, again: boolean): Turn {
  return { kind: "failed", outcome: failure(reason, 0), again };
}
