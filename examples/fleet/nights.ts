/** A night: one pass over all organizations. */
import type { PgBoss } from "pg-boss";
import type { Queryable } from "./database.ts";
import { problemOfName } from "./names.ts";
import { queues } from "./queue.ts";
import { organizationNames } from "./settings.ts";

/** What a run of one organization came to. */
export interface Outcome {
  readonly outcome: "skipped" | "unchanged" | "applied" | "failed";
  /** Why it failed, or what it changed. */
  readonly reason?: string | undefined;
  readonly requests: number;
  readonly rotations: number;
  /** null: not known, because the state could not be read afterwards. */
  readonly uncertain: number | null;
  /** YYYY-MM-DD */
  readonly nextDueDate?: string | null;
  /** What a person should know: secrets that were rotated once more, stale locks, operations that are left. */
  readonly notes: readonly string[];
  readonly seconds: number;
}

/** @param uncertain 0 where nothing can have run */
export const failure = (reason: string, uncertain: 0 | null): Outcome => ({
  outcome: "failed",
  reason,
  requests: 0,
  rotations: 0,
  uncertain,
  notes: [],
  seconds: 0,
});

/** Starts a night: a row and a job for each organization, all or none of them. Returns its name. */
export async function startNight(boss: PgBoss, names = organizationNames()): Promise<string> {
  const night = new Date().toISOString();
  const allowed = names.filter((name) => problemOfName(name) === undefined);
  const transaction = await boss.getDb().beginTransaction?.();
  if (!transaction) throw new Error("the queue's connection has no transactions");
  const { db } = transaction;
  try {
    await db.executeSql("insert into fleet.night (night) values ($1)", [night]);
    await db.executeSql(
      `insert into fleet.result (night, organization, state, outcome, reason, finished_at)
        select $1, name, case when problem is null then 'waiting' else 'done' end,
          case when problem is null then null else 'failed' end, problem, case when problem is null then null else now() end
        from unnest($2::text[], $3::text[]) as named (name, problem)`,
      [night, names, names.map((name) => problemOfName(name) ?? null)],
    );
    // An organization whose job of another night still waits or runs gets no second one. That job's result counts for both.
    const jobs = allowed.map((organization) => ({ data: { organization }, singletonKey: organization }));
    if (jobs.length > 0) await boss.insert(queues.organization, jobs, { db });
    await transaction.commit();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
  return night;
}

/** Notes that an organization is not done, and why. */
export async function noteWaiting(
  client: Queryable,
  organization: string,
  state: "deferred" | "retrying",
  reason: string,
): Promise<void> {
  const text = "update fleet.result set state = $2, reason = $3 where organization = $1 and state <> 'done'";
  await client.query(text, [organization, state, reason]);
}

/** Also removes the dead letters of the organization's earlier runs. A failure leaves a new one. */
export async function noteDone(client: Queryable, organization: string, worker: string, of: Outcome): Promise<void> {
  await client.query("delete from pgboss.job where name = $1 and singleton_key = $2", [queues.dead, organization]);
  await client.query(
    `update fleet.result set state = 'done', outcome = $3, reason = $4, requests = $5, rotations = $6, uncertain = $7,
      next_due_date = $8, notes = $9, seconds = $10, worker = $2, finished_at = now()
      where organization = $1 and state <> 'done'`,
    [
      organization,
      worker,
      of.outcome,
      of.reason ?? null,
      of.requests,
      of.rotations,
      of.uncertain,
      of.nextDueDate ?? null,
      JSON.stringify(of.notes),
      of.seconds,
    ],
  );
}

/** Ends the rows of jobs that died with their workers, so that nobody was left to note it. */
export async function noteDead(client: Queryable): Promise<void> {
  await client.query(
    `update fleet.result set state = 'done', outcome = 'failed', uncertain = null, finished_at = now(),
        reason = 'each worker that took it was lost: ' || coalesce(dead.source_output ->> 'message', 'see its dead letter')
      from pgboss.job as dead, fleet.night
      where dead.name = $1 and dead.state = 'created' and result.organization = dead.singleton_key
        and result.state <> 'done' and night.night = result.night and dead.created_on >= night.started_at`,
    [queues.dead],
  );
}

export interface Row {
  readonly organization: string;
  readonly state: "waiting" | "deferred" | "retrying" | "done";
  readonly outcome: Outcome["outcome"] | null;
  readonly reason: string | null;
  readonly requests: number;
  readonly rotations: number;
  readonly uncertain: number | null;
  readonly next_due_date: string | null;
  readonly notes: readonly string[];
  readonly seconds: number | null;
  readonly worker: string | null;
}

export async function rowsOf(client: Queryable, night: string): Promise<Row[]> {
  const text = "select * from fleet.result where night = $1 order by organization";
  return (await client.query<Row>(text, [night])).rows;
}

export async function newestNight(client: Queryable): Promise<string | undefined> {
  const { rows } = await client.query<{ night: string }>(
    "select night from fleet.night order by started_at desc limit 1",
  );
  return rows[0]?.night;
}
