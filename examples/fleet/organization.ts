/** One turn of one organization: takes its lock, applies it, and notes what it came to. */
import { existsSync, readFileSync } from "node:fs";
import { apply, type ApplyResult } from "pulumi-voiceplane/apply";
import { hasKey } from "./adopting.ts";
import { inTransaction, recordOf, stateVersion, withConnection, type Queryable } from "./database.ts";
import { explained } from "./errors.ts";
import { takeLock } from "./lock.ts";
import { problemOfName } from "./names.ts";
import { failure, noteDone, noteRetrying, type Outcome } from "./nights.ts";
import {
  cancelLocksAfterMs,
  fullPassAfterDays,
  organizationFileOf,
  pulumiEnv,
  runLimitMs,
  stackFileOf,
  stacksFolder,
} from "./settings.ts";
import { fullPassDays } from "./spreading.ts";
import { NoTokenError, tokenOf } from "./tokens.ts";
import { currentVersion, waitsFor } from "./version.ts";

export type Turn =
  | { readonly kind: "done"; readonly outcome: Outcome }
  /** Another run has the organization, or another worker has to run it: this one has the wrong files. */
  | { readonly kind: "later"; readonly reason: string; readonly isOther?: boolean }
  /** `again`: whether there is another try. */
  | { readonly kind: "failed"; readonly outcome: Outcome; readonly again: boolean };

/** @param worker the name of this worker, for the night's table */
export async function takeTurn(name: string, worker: string, retriesLeft: number): Promise<Turn> {
  const found = await tokenOrProblem(name);
  if ("problem" in found) {
    const turn = failed(failure(found.problem, 0), found.mayPass && retriesLeft > 0);
    await withConnection((client) => note(client, name, worker, turn));
    return turn;
  }
  const lock = await takeLock(name);
  if (!lock) return { kind: "later", reason: "another worker has it" };
  try {
    const reason = await waitsFor(lock.client, name, await currentVersion());
    if (reason !== undefined) return { kind: "later", reason, isOther: true };
    // On the lock's own connection: a worker that has lost the lock starts nothing.
    const record = recordOf(lock.client, name);
    const result = await apply({
      folder: stacksFolder,
      stack: name,
      env: pulumiEnv(found.token),
      record,
      stateVersion: () => stateVersion(lock.client, name),
      fullPassAfterDays: fullPassDays(name, fullPassAfterDays),
      cancelLocksAfterMs,
      signal: AbortSignal.timeout(runLimitMs),
    });
    const turn = turnOf(result, retriesLeft);
    const noteAll = (client: Queryable) =>
      inTransaction(client, async () => {
        const isNoted = await record.saveEnd(client);
        if (!isNoted) await note(client, name, worker, turn, lock.since);
      });
    try {
      // Also if the lock's connection broke meanwhile.
      await noteAll(lock.client).catch(() => withConnection(noteAll));
    } catch (error) {
      // The record says that the run did not end, so the next one tells what it rotated.
      return turn.kind === "later" ? turn : failed({ ...turn.outcome, rotations: 0, reason: explained(error) }, true);
    }
    return turn;
  } finally {
    await lock.release().catch(() => undefined);
  }
}

/** What is in the way of a run. `mayPass`: whether another try may help. */
interface Problem {
  readonly problem: string;
  readonly mayPass: boolean;
}

async function tokenOrProblem(name: string): Promise<{ readonly token: string } | Problem> {
  const problem = problemOfName(name);
  if (problem !== undefined) return { problem, mayPass: false };
  // Another worker's copy of the files may be newer.
  const missing = missingFile(name);
  if (missing !== undefined) return { problem: missing, mayPass: true };
  try {
    return { token: await tokenOf(name) };
  } catch (error) {
    return { problem: explained(error), mayPass: !(error instanceof NoTokenError) };
  }
}

function turnOf(result: ApplyResult, retriesLeft: number): Turn {
  const { outcome, reason, needsPerson } = result;
  if (outcome === "locked") return { kind: "later", reason };
  const noted = { ...summaryOf(result), outcome };
  if (outcome === "failed") return failed(noted, retriesLeft > 0 && !needsPerson);
  return { kind: "done", outcome: noted };
}

const failed = (outcome: Outcome, again: boolean): Turn => ({
  kind: "failed",
  outcome: { ...outcome, outcome: "failed" },
  again,
});

/** @param begun when the run began, by the clock of PostgreSQL; undefined if nothing was run */
async function note(client: Queryable, name: string, worker: string, turn: Turn, begun?: string): Promise<void> {
  if (turn.kind === "later") return;
  if (turn.kind === "failed" && turn.again) await noteRetrying(client, name, turn.outcome, begun);
  else await noteDone(client, name, worker, turn.outcome, begun);
}

function summaryOf(result: ApplyResult): Omit<Outcome, "outcome"> {
  const { requests, rotatedEarlier, uncertain, nextDueDate, seconds } = result;
  return {
    reason: result.outcome === "failed" ? result.reason : result.summary || undefined,
    requests,
    rotations: result.rotations + rotatedEarlier.length,
    uncertain,
    nextDueDate,
    notes: [
      ...rotatedEarlier.map(({ name, at }) => `${name} was rotated at ${at}, by an earlier run that could not note it`),
      ...result.rotatedAgain.map(({ name, why }) => `${name} was rotated again (${why})`),
      ...result.staleLocks.map((lock) => `removed a stale lock (${lock})`),
    ],
    // A run that could not read the state does not know them either.
    pending: uncertain === null ? undefined : result.pending,
    seconds,
    log: result.log ?? undefined,
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
