/** A night: one pass over all organizations. */
import type { ConnectionOptions, PgBoss } from "pg-boss";
import type { Queryable } from "./database.ts";
import { problemOfName } from "./names.ts";
import { queues } from "./queue.ts";
import { organizationNames } from "./settings.ts";
import { currentVersion, noteVersion } from "./version.ts";

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
  /** What a person should know of this run: secrets that were rotated once more, stale locks. */
  readonly notes: readonly string[];
  /** Operations that the state has as pending, for a person. Undefined: not known */
  readonly pending?: readonly string[] | undefined;
  readonly seconds: number;
  /** The file with the output of a failed run, on the worker's machine. */
  readonly log?: string | undefined;
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
export async function startNight(boss: PgBoss, names: readonly string[], isScheduled = false): Promise<string> {
  const night = new Date().toISOString();
  const version = await currentVersion();
  const allowed = names.filter((name) => problemOfName(name) === undefined);
  const transaction = await boss.getDb().beginTransaction?.();
  if (!transaction) throw new Error("the queue's connection has no transactions");
  const { db } = transaction;
  try {
    await db.executeSql("insert into voiceplane_fleet.night (night, version) values ($1, $2)", [night, version]);
    if (names.length === organizationNames().length)
      await noteVersion((text, values) => db.executeSql(text, values), version, isScheduled);
    await db.executeSql(
      `insert into voiceplane_fleet.result (night, organization, state, outcome, reason, finished_at)
        select $1, name, case when problem is null then 'waiting' else 'done' end,
          case when problem is null then null else 'failed' end, problem, case when problem is null then null else now() end
        from unnest($2::text[], $3::text[]) as named (name, problem)`,
      [night, names, names.map((name) => problemOfName(name) ?? null)],
    );
    // An organization whose job of another night still waits or runs gets no second one now: see resend().
    await sendJobs(boss, allowed, { db });
    await transaction.commit();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
  return night;
}

/** An organization that has a job already gets no second one. */
async function sendJobs(
  boss: PgBoss,
  organizations: readonly string[],
  options: ConnectionOptions = {},
): Promise<void> {
  const jobs = organizations.map((organization) => ({ data: { organization }, singletonKey: organization }));
  if (jobs.length > 0) await boss.insert(queues.organization, jobs, options);
}

/** Notes that another run has an organization. */
export async function noteDeferred(client: Queryable, organization: string, reason: string): Promise<void> {
  const text =
    "update voiceplane_fleet.result set state = 'deferred', reason = $2 where organization = $1 and state <> 'done'";
  await client.query(text, [organization, reason]);
}

/** Notes a failure that is tried again. What it sent stays in the rows that are its own: the next try adds its own, and knows what is pending by then. */
export async function noteRetrying(
  client: Queryable,
  organization: string,
  of: Outcome,
  begun?: string,
): Promise<void> {
  await client.query(
    `update voiceplane_fleet.result set state = 'retrying', reason = $3, requests = requests + $4,
        rotations = rotations + $5, notes = notes || $6::jsonb, pending = coalesce($7, pending)
      from voiceplane_fleet.night where ${unfinished}`,
    [organization, begun ?? null, of.reason ?? null, of.requests, of.rotations, ...jsonOf(of)],
  );
}

/** The notes and the pending operations. */
const jsonOf = ({ notes, pending }: Outcome): [string, string | null] => [
  JSON.stringify(notes),
  pending === undefined ? null : JSON.stringify(pending),
];

/** The unfinished rows of $1, of nights that began before its run: $2, by the clock of PostgreSQL, or now. */
const unfinished = `organization = $1 and state <> 'done' and night.night = result.night
  and started_at <= coalesce($2::timestamptz, now())`;

/**
 * Ends the organization's rows, of nights that began before its run: a later one may be about files that the run did not
 * read. Also removes the dead letters of earlier runs. A failure leaves a new one.
 *
 * @param begun when the run began, by the clock of PostgreSQL. Default: now
 */
export async function noteDone(
  client: Queryable,
  organization: string,
  worker: string,
  of: Outcome,
  begun?: string,
): Promise<void> {
  await client.query("delete from pgboss.job where name = $1 and singleton_key = $2", [queues.dead, organization]);
  await client.query(
    `update voiceplane_fleet.result set state = 'done', outcome = $4, reason = $5, requests = requests + $6,
        rotations = rotations + $7, uncertain = $8, next_due_date = $9, notes = notes || $10::jsonb,
        pending = coalesce($11, pending), seconds = $12, log = $13, worker = $3, finished_at = now()
      from voiceplane_fleet.night where ${unfinished}`,
    [
      organization,
      begun ?? null,
      worker,
      of.outcome,
      of.reason ?? null,
      of.requests,
      of.rotations,
      of.uncertain,
      of.nextDueDate ?? null,
      ...jsonOf(of),
      of.seconds,
      of.log ?? null,
    ],
  );
}

/** Sends a job for each organization that waits without one, because its job of an earlier night was still running. */
export async function resend(boss: PgBoss, client: Queryable): Promise<void> {
  const { rows } = await client.query<{ organization: string }>(
    `select distinct organization from voiceplane_fleet.result
      where state <> 'done' and not exists (
        select from pgboss.job
        where name = $1 and singleton_key = organization and job.state in ('created', 'retry', 'active'))`,
    [queues.organization],
  );
  await sendJobs(
    boss,
    rows.map(({ organization }) => organization),
  );
}

/** Ends the rows of jobs that died with their workers, so that nobody was left to note it. */
export async function noteDead(client: Queryable): Promise<void> {
  await client.query(
    `update voiceplane_fleet.result set state = 'done', outcome = 'failed', uncertain = null, finished_at = now(),
        reason = 'each worker that took it was lost: ' || coalesce(dead.source_output ->> 'message', 'see its dead letter')
      from pgboss.job as dead join pgboss.job as lost on lost.name = dead.source_name and lost.id = dead.source_id,
        voiceplane_fleet.night
      where dead.name = $1 and dead.state = 'created' and result.organization = dead.singleton_key
        and result.state <> 'done' and night.night = result.night and night.started_at <= lost.started_on`,
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
  readonly pending: readonly string[];
  readonly seconds: number | null;
  readonly worker: string | null;
  readonly log?: string | null;
}

export async function rowsOf(client: Queryable, night: string): Promise<Row[]> {
  const text = "select * from voiceplane_fleet.result where night = $1 order by organization";
  return (await client.query<Row>(text, [night])).rows;
}

export async function newestNight(client: Queryable): Promise<string | undefined> {
  const { rows } = await client.query<{ night: string }>(
    "select night from voiceplane_fleet.night order by started_at desc limit 1",
  );
  return rows[0]?.night;
}
