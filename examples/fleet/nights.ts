/** A night: one pass over all organizations. */
import type { ConnectionOptions, PgBoss } from "pg-boss";
import type { ApplyResult } from "pulumi-voiceplane/apply";
import { inTransaction, type Queryable } from "./database.ts";
import { inQueueTransaction, queues } from "./queue.ts";
import { organizationNames, problemOfName } from "./settings.ts";
import { currentVersion, noteVersion } from "./version.ts";

/** The result of a run of one organization. */
export interface Outcome extends Pick<ApplyResult, "requests" | "rotations" | "nextDueDate" | "seconds" | "log"> {
  /** "held": nothing was sent, and a person has to release it. */
  readonly outcome: "skipped" | "unchanged" | "applied" | "failed" | "held";
  /** The risks over the budget, of one that is held. */
  readonly held?: readonly string[];
  /** The risks of what it changed. */
  readonly risks: readonly string[];
  /** Why it failed or is held, or what it changed. */
  readonly reason: string | null;
  /** As in the run's result. Undefined if nothing was run: the row then keeps what earlier tries left. */
  readonly uncertain?: number | null;
  /** What a person should know of this run: secrets that were rotated once more, stale locks. */
  readonly notes: readonly string[];
  /** Pending operations in the state, for a person; null if not known. */
  readonly pending: readonly string[] | null;
}

const nothingRun = {
  ...{ requests: 0, rotations: 0, risks: [], notes: [], pending: null },
  ...{ nextDueDate: null, seconds: 0, log: null },
};

/** Of a try that ran nothing. */
export function failure(reason: string): Outcome {
  return { ...nothingRun, outcome: "failed", reason };
}

/** Of one that the night no longer starts. */
export function stopped(reason: string): Outcome {
  return { ...nothingRun, outcome: "held", held: [], reason };
}

/** Starts a night: a row and a job for each organization, all or none of them. Returns its name. */
export async function startNight(boss: PgBoss, names: readonly string[], isScheduled = false): Promise<string> {
  const night = new Date().toISOString();
  const version = await currentVersion();
  await inQueueTransaction(boss, async (db) => {
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
    const allowed = names.filter((name) => problemOfName(name) === undefined);
    await sendJobs(boss, allowed, { db });
  });
  return night;
}

/** An organization that has a job, of another night, gets no second one now: see resend(). */
async function sendJobs(boss: PgBoss, names: readonly string[], options: ConnectionOptions = {}): Promise<void> {
  const jobs = names.map((organization) => ({ data: { organization }, singletonKey: organization }));
  if (jobs.length > 0) await boss.insert(queues.organization, jobs, options);
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
  const names = rows.map(({ organization }) => organization);
  await sendJobs(boss, names);
}

/** A night, for a run of one organization. */
export interface Night {
  readonly night: string;
  /** The version of its files. */
  readonly version: string | null;
  /** Who stopped it, and why. */
  readonly stop: string | null;
}

const stopOf = `(select 'the night was stopped by ' || decided_by || ': ' || reason from voiceplane_fleet.decision
  where decision.night = night.night and risk is null limit 1)`;

/** The newest night in which the organization is not done, or the newest of all. */
export async function nightOf(client: Queryable, organization: string): Promise<Night | undefined> {
  const { rows } = await client.query<Night>(
    `select night.night, version, ${stopOf} as stop
      from voiceplane_fleet.night left join voiceplane_fleet.result
        on result.night = night.night and organization = $1 and state <> 'done'
      order by organization is null, started_at desc limit 1`,
    [organization],
  );
  return rows[0];
}

/** Until the end of the transaction, nobody else decides about the night. Returns who stopped it, and why. */
export async function lockNight(client: Queryable, night: string): Promise<string | undefined> {
  const text = `select ${stopOf} as stop from voiceplane_fleet.night where night = $1 for no key update`;
  const { rows } = await client.query<Pick<Night, "stop">>(text, [night]);
  if (rows[0] === undefined) throw new Error(`there is no night ${night}: npm run summary names the newest one`);
  return rows[0].stop ?? undefined;
}

const decide =
  "insert into voiceplane_fleet.decision (night, risk, decided_by, reason) select $1, unnest($2::text[]), $3, $4";

/** Ends a night now. Runs that have begun to send finish; the other organizations are held. */
export async function stopNight(client: Queryable, night: string, by: string, reason: string): Promise<void> {
  await inTransaction(client, async () => {
    if ((await lockNight(client, night)) !== undefined) return;
    await client.query(decide, [night, [null], by, reason]);
    // One with a job that runs ends by itself, with what it has found.
    await client.query(
      `update voiceplane_fleet.result set state = 'done', outcome = 'held', held = '{}', finished_at = now(), reason = ${stopOf}
        from voiceplane_fleet.night where night.night = $1 and result.night = $1 and state <> 'done' and not exists (
          select from pgboss.job where name = $2 and singleton_key = organization and job.state = 'active')`,
      [night, queues.organization],
    );
  });
}

/**
 * Lets go what a night holds for these risks, and what it would still hold. A later night of an organization is not touched. The release is
 * for the files of this night: workers with others wait.
 *
 * @returns how many organizations go on
 */
export async function releaseNight(boss: PgBoss, night: string, risks: readonly string[], by: string): Promise<number> {
  let names: string[] = [];
  await inQueueTransaction(boss, async (db) => {
    const client = { query: (text: string, values?: unknown[]) => db.executeSql(text, values) } as Queryable;
    const stop = await lockNight(client, night);
    if (stop !== undefined) throw new Error(`${stop}; start another one: npm run night`);
    await client.query(decide, [night, risks, by, null]);
    const { rows } = await client.query<{ organization: string }>(
      `update voiceplane_fleet.result set state = 'waiting', outcome = null, held = null, reason = null, finished_at = null
        where night = $1 and held && $2 and not exists (
          select from voiceplane_fleet.result as later join voiceplane_fleet.night as newer using (night)
          where later.organization = result.organization
            and newer.started_at > (select started_at from voiceplane_fleet.night where night = $1))
        returning organization`,
      [night, risks],
    );
    names = rows.map(({ organization }) => organization);
    await sendJobs(boss, names, { db });
  });
  return names.length;
}

/** Notes that another run has an organization. */
export async function noteDeferred(client: Queryable, organization: string, reason: string): Promise<void> {
  const text =
    "update voiceplane_fleet.result set state = 'deferred', reason = $2 where organization = $1 and state <> 'done'";
  await client.query(text, [organization, reason]);
}

/**
 * Notes the outcome of a run in the organization's unfinished rows: those of nights that began before it, because a later
 * night may have files that the run did not read. A row adds up the requests, rotations and notes of all tries.
 *
 * @param worker that ends the rows; undefined if there is another try
 * @param begun when the run began, by the clock of PostgreSQL. Default: now
 */
export async function noteOutcome(
  client: Queryable,
  organization: string,
  outcome: Outcome,
  worker: string | undefined,
  begun?: string,
): Promise<void> {
  if (worker !== undefined)
    await client.query("delete from pgboss.job where name = $1 and singleton_key = $2", [queues.dead, organization]);
  const { reason, requests, rotations, notes, pending, uncertain, nextDueDate, seconds, log, held = null } = outcome;
  await client.query(
    `update voiceplane_fleet.result set reason = $3, requests = requests + $4, rotations = rotations + $5,
        notes = notes || $6::jsonb, pending = coalesce($7, pending), uncertain = case when $8 then $9 else uncertain end,
        state = $10, outcome = $11, next_due_date = $12, seconds = $13, log = $14, worker = $15, held = $16,
        finished_at = case when $10 = 'done' then now() end
      from voiceplane_fleet.night where organization = $1 and state <> 'done'
        and night.night = result.night and started_at <= coalesce($2::timestamptz, now())`,
    [
      ...[organization, begun, reason, requests, rotations, JSON.stringify(notes), pending && JSON.stringify(pending)],
      ...[uncertain !== undefined, uncertain],
      ...(worker === undefined
        ? ["retrying", null, null, null, null, null, null]
        : ["done", outcome.outcome, nextDueDate, seconds, log, worker, held]),
    ],
  );
}

/** Ends the rows of jobs that died with their workers, so that nobody noted them. */
export async function noteDead(client: Queryable): Promise<void> {
  await client.query(
    `update voiceplane_fleet.result set state = 'done', outcome = 'failed', uncertain = null, finished_at = now(),
        reason = coalesce(dead.source_output ->> 'reason',
          'each worker that took it was lost: ' || coalesce(dead.source_output ->> 'message', 'see its dead letter'))
      from pgboss.job as dead join pgboss.job as lost on lost.name = dead.source_name and lost.id = dead.source_id,
        voiceplane_fleet.night
      where dead.name = $1 and dead.state = 'created' and result.organization = dead.singleton_key
        and result.state <> 'done' and night.night = result.night and night.started_at <= lost.started_on`,
    [queues.dead],
  );
}
