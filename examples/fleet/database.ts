/** The fleet's own tables, beside pg-boss's and Pulumi's in the same database. */
import pg from "pg";
import { database, projectName } from "./settings.ts";

// A count fits into a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// A date stays the text that it is: 2026-11-20.
pg.types.setTypeParser(pg.types.builtins.DATE, String);

export type Queryable = Pick<pg.Client, "query">;

export const tables = `
  create schema if not exists fleet;

  -- What the last run of an organization left, for the next one to decide whether it may skip.
  create table if not exists fleet.record (
    organization text primary key,
    record text not null,
    updated_at timestamptz not null default now()
  );

  create table if not exists fleet.night (
    night text primary key,
    started_at timestamptz not null default now()
  );

  -- One row for each organization of each night.
  create table if not exists fleet.result (
    night text not null references fleet.night on delete cascade,
    organization text not null,
    state text not null default 'waiting' check (state in ('waiting', 'deferred', 'retrying', 'done')),
    outcome text check (outcome in ('skipped', 'unchanged', 'applied', 'failed')),
    reason text,
    requests integer not null default 0,
    rotations integer not null default 0,
    uncertain integer default 0,
    next_due_date date,
    notes jsonb not null default '[]',
    seconds real,
    worker text,
    finished_at timestamptz,
    primary key (night, organization)
  );
  create index if not exists result_unfinished on fleet.result (organization) where state <> 'done';
  create index if not exists result_finished on fleet.result (organization, finished_at);
`;

/** Connects with the PG* variables. */
export async function connect(options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ database, application_name: "fleet", ...options });
  // Without a listener, a connection that breaks would end the process. The next query fails instead.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

export async function withConnection<T>(action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

/** All of it, or nothing. */
export async function inTransaction<T>(client: Queryable, action: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    const result = await action();
    await client.query("commit");
    return result;
  } catch (error) {
    // A connection that broke cannot, and need not.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** The record of one organization, on a connection that holds its lock. */
export function recordOf(client: Queryable, organization: string) {
  /** What this run has written, or may have: an answer can be lost. */
  const written: string[] = [];
  let ended: string | undefined;
  return {
    async read(): Promise<string | undefined> {
      const text = "select record from fleet.record where organization = $1";
      const { rows } = await client.query<{ record: string }>(text, [organization]);
      return rows[0]?.record;
    },
    async write(record: string): Promise<void> {
      const text = `insert into fleet.record (organization, record) values ($1, $2)
        on conflict (organization) do update set record = excluded.record, updated_at = now()`;
      written.push(record);
      await client.query(text, [organization, record]);
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
        "update fleet.record set record = $3, updated_at = now() where organization = $1 and record = any($2)";
      const { rowCount } = await other.query(update, [organization, written, ended]);
      if (rowCount !== 0) return false;
      const same = "select from fleet.record where organization = $1 and record = $2";
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
