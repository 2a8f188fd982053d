/** One turn of one organization: takes its lock, applies it, and notes the outcome. */
import { existsSync } from "node:fs";
import { apply, type ApplyResult, type PlannedChange } from "pulumi-voiceplane/apply";
import { budget, check, spend, type Check, type Hold } from "./budget.ts";
import { explained, inTransaction, withConnection, type Queryable } from "./database.ts";
import { recordOf, stateVersion, takeLock } from "./lock.ts";
import { failure, nightOf, noteOutcome, stopped, type Outcome } from "./nights.ts";
import * as settings from "./settings.ts";
import { fullPassDays } from "./spread.ts";
import { hasKey } from "./stacks.ts";
import { NoTokenError, tokenOf } from "./tokens.ts";
import { currentVersion, revisionOf, waitsFor } from "./version.ts";

export type Turn =
  /** `again`: a failure that is tried again. */
  | { readonly kind: "ended"; readonly outcome: Outcome; readonly again: boolean }
  /** Another run has the organization, or another worker has to run it (`isOther`): this one has the wrong files. */
  | { readonly kind: "later"; readonly reason: string; readonly isOther?: boolean };

/** @param worker the name of this worker, for the night's table */
export async function takeTurn(name: string, worker: string, retriesLeft: number): Promise<Turn> {
  const note = async (client: Queryable, turn: Turn, begun?: string): Promise<void> => {
    if (turn.kind === "later") return;
    await noteOutcome(client, name, turn.outcome, turn.again ? undefined : worker, begun);
  };
  const found = await tokenOrProblem(name);
  if ("problem" in found) {
    const outcome = failure(found.problem);
    const turn = { kind: "ended", outcome, again: found.mayPass && retriesLeft > 0 } as const;
    await withConnection((client) => note(client, turn));
    return turn;
  }
  const { token } = found;
  const lock = await takeLock(name);
  if (!lock) return { kind: "later", reason: "another worker has it" };
  try {
    const night = await nightOf(lock.client, name);
    if (night === undefined) throw new Error("there was no night yet: npm run night");
    const reason = waitsFor(night.version, await currentVersion());
    if (reason !== undefined) return { kind: "later", reason, isOther: true };
    if (night.stop !== null) {
      const turn = { kind: "ended", outcome: stopped(night.stop), again: false } as const;
      await note(lock.client, turn, lock.since);
      return turn;
    }
    let hold: Hold | undefined;
    // On the lock's own connection: a worker that has lost the lock starts nothing.
    const record = recordOf(lock.client, name);
    const noted: { turn?: Turn } = {};
    const onResult = async (result: ApplyResult): Promise<void> => {
      const succeeded = result.outcome !== "failed";
      const found = hold ? {} : await withConnection((client) => check(client, night, name, token, succeeded));
      const turn = turnOf(result, retriesLeft, hold, found);
      const noteAll = (client: Queryable) =>
        inTransaction(client, async () => {
          if (!(await record.saveEnd(client))) await note(client, turn, lock.since);
        });
      // Also if the lock's connection broke meanwhile.
      await noteAll(lock.client).catch(() => withConnection(noteAll));
      noted.turn = turn;
    };
    const onPreview = async (changes: readonly PlannedChange[]): Promise<string | undefined> => {
      hold = await spend(lock.client, night, name, changes, token);
      return hold?.reason;
    };
    const result = await apply({
      folder: settings.stacksFolder,
      stack: name,
      env: settings.pulumiEnv(token),
      record,
      onResult,
      revision: await revisionOf(name),
      stateVersion: () => stateVersion(lock.client, name),
      fullPassAfterDays: fullPassDays(name, settings.fullPassAfterDays),
      cancelLocksAfterMs: settings.cancelLocksAfterMs,
      failOn: settings.failOn,
      ...(budget().size > 0 && { onPreview }),
      signal: AbortSignal.timeout(settings.runLimitMs),
    });
    return noted.turn ?? unnoted(turnOf(result, retriesLeft, hold), result);
  } finally {
    await lock.release().catch(() => undefined);
  }
}

/** What the run has rotated is reported by the next one. */
function unnoted(turn: Turn, result: ApplyResult): Turn {
  if (turn.kind === "later") return turn;
  const { reason } = result;
  return {
    kind: "ended",
    outcome: { ...turn.outcome, outcome: "failed", rotations: 0, reason },
    again: !mayHaveLostAnswers(result),
  };
}

/** `mayPass`: whether another try may help. */
type TokenOrProblem = { readonly token: string } | { readonly problem: string; readonly mayPass: boolean };

async function tokenOrProblem(name: string): Promise<TokenOrProblem> {
  const problem = settings.problemOfName(name);
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

/** What an organization lacks on this machine, in one line. */
function missingFile(name: string): string | undefined {
  if (!existsSync(settings.organizationFileOf(name))) return `organizations/${name}.yaml is not on this machine`;
  // Without the salt of the file, each machine would invent its own, and encrypt the state again.
  if (hasKey(name)) return undefined;
  return `stacks/Pulumi.${name}.yaml is missing, or has no encryptionsalt: run npm run adopt -- ${name} --base-url URL, and check the file in`;
}

/** Each further run would rotate a secret whose new value was lost once more. */
function mayHaveLostAnswers({ uncertain, requests, unreadable }: ApplyResult): boolean {
  return uncertain === null ? requests + unreadable.length > 0 : uncertain > 0;
}

function turnOf(result: ApplyResult, retriesLeft: number, hold?: Hold, { lockout, note }: Check = {}): Turn {
  if (hold?.kind === "wait") return { kind: "later", reason: hold.reason };
  if (hold) {
    const { seconds, nextDueDate } = result;
    const outcome = { ...stopped(hold.reason), held: hold.risks, seconds, nextDueDate };
    return { kind: "ended", outcome, again: false };
  }
  const { outcome, reason, requests, rotatedEarlier, uncertain, nextDueDate, seconds, log } = result;
  // The worker makes no dry runs, which end as "previewed".
  if (outcome === "locked" || outcome === "previewed") return { kind: "later", reason };
  const isLast = mayHaveLostAnswers(result);
  const why =
    "; not tried again in this night, because an answer may be lost: the next run sends its request once more";
  const noted = {
    outcome: lockout === undefined ? outcome : "failed",
    reason: lockout ?? (outcome === "failed" ? reason + (isLast ? why : "") : result.summary || null),
    risks: outcome === "failed" && requests === 0 ? [] : result.risks,
    requests,
    rotations: result.rotations + rotatedEarlier.length,
    uncertain,
    nextDueDate,
    notes: [
      ...rotatedEarlier.map(({ name, at }) => `${name} was rotated at ${at}, by an earlier run that could not note it`),
      ...result.rotatedAgain.map(({ name, why }) => `${name} was rotated again (${why})`),
      ...result.unreadable.map((problem) => `${problem}: what it says was sent is not known`),
      ...result.staleOutputs.map((output) => `the stack output ${output} had a secret that was rotated since`),
      ...result.staleLocks.map((lock) => `removed a stale lock (${lock})`),
      ...(note === undefined ? [] : [note]),
    ],
    // A run that could not read the state does not know them either.
    pending: uncertain === null ? null : result.pending,
    seconds,
    log,
  };
  const again = outcome === "failed" && lockout === undefined && retriesLeft > 0 && !result.needsPerson && !isLast;
  return { kind: "ended", outcome: noted, again };
}
