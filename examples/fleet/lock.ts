/** What a run of one organization uses in PostgreSQL: its lock, its record, and the version of its state. */
import type pg from "pg";
import { connect, type Queryable } from "./database.ts";
import { database, projectName } from "./settings.ts";

export interface Lock {
  /**
   * The connection that holds the lock. Read and write through it what the work needs: if it breaks, the lock is gone, the
   * next query fails, and nothing more is started.
   */
  readonly client: pg.Client;
  /** When it was taken, by the clock of PostgreSQL. */
  readonly since: string;
  release(): Promise<void>;
}

/** With it, PostgreSQL notices within a minute that a worker's machine is gone. The system's usual keepalive takes two hours. */
const keepalive = "set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3";

/** An advisory lock of PostgreSQL. undefined if another worker holds it. */
export async function takeLock(organization: string): Promise<Lock | undefined> {
  const client = await connect({ application_name: `fleet ${organization}`, keepAlive: true });
  try {
    await client.query(keepalive);
    const text = "select pg_try_advisory_lock(hashtextextended($1, 0)) as held, now()::text as since";
    const { rows } = await client.query<{ held: boolean; since: string }>(text, [`voiceplane fleet ${organization}`]);
    if (rows[0]?.held) return { client, since: rows[0].since, release: () => client.end() };
    await client.end();
    return undefined;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** The record of one organization, on the connection that holds its lock. */
export function recordOf(client: Queryable, organization: string) {
  /** What this run has written, or may have: an answer can be lost. */
  const written: string[] = [];
  let ended: string | undefined;
  return {
    async read(): Promise<string | undefined> {
      const text = "select record from voiceplane_fleet.record where organization = $1";
      return (await client.query<{ record: string }>(text, [organization])).rows[0]?.record;
    },
    async write(record: string): Promise<void> {
      const text = `insert into voiceplane_fleet.record (organization, record) values ($1, $2)
        on conflict (organization) do update set record = excluded.record, updated_at = now()`;
      written.push(record);
      await client.query(text, [organization, record]);
      // A run begins. If nobody notes its end, the row says that it is not known.
      const row = "update voiceplane_fleet.result set uncertain = null where organization = $1 and state <> 'done'";
      await client.query(row, [organization]);
    },
    finish(record: string): Promise<void> {
      ended = record;
      return Promise.resolve();
    },
    /**
     * Writes the end of the run, in the transaction that notes its result. A record that another run has written since stays.
     *
     * @returns whether it is there already: the transaction was committed before, and its answer was lost
     */
    async saveEnd(other: Queryable): Promise<boolean> {
      if (ended === undefined) return false;
      const update =
        "update voiceplane_fleet.record set record = $3, updated_at = now() where organization = $1 and record = any($2)";
      if ((await other.query(update, [organization, written, ended])).rowCount !== 0) return false;
      const same = "select from voiceplane_fleet.record where organization = $1 and record = $2";
      return (await other.query(same, [organization, ended])).rowCount !== 0;
    },
  };
}

/** A text that changes with each change of a stack's state. undefined if there is none. */
export async function stateVersion(client: Queryable, stack: string): Promise<string | undefined> {
  const key = `${database}/.pulumi/stacks/${projectName()}/${stack}.json`;
  const text = `select md5(string_agg(key || data::text, '' order by key)) as version from pulumi_state where key = any($1)`;
  const { rows } = await client.query<{ version: string | null }>(text, [[key, `${key}.zst`, `${key}.gz`]]);
  return rows[0]?.version ?? undefined;
}
