/** The fleet's own tables, beside pg-boss's and Pulumi's in the same database. */
import pg from "pg";
import { database, projectName } from "./settings.ts";

// A count or a sum fits into a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// A date stays the text that it is: 2026-11-20.
pg.types.setTypeParser(pg.types.builtins.DATE, String);

export type Queryable = Pick<pg.Client, "query">;

/**
 * Not the name of a role: PostgreSQL looks first in the schema that has the name of the role, so Pulumi would make another,
 * empty table of states there.
 */
export const schema = "voiceplane_fleet";

const tables = `
  -- What the last run of an organization left, for the next one to decide whether it may skip.
  create table if not exists voiceplane_fleet.record (
    organization text primary key,
    record text not null,
    updated_at timestamptz not null default now()
  );

  create table if not exists voiceplane_fleet.night (
    night text primary key,
    started_at timestamptz not null default now()
  );
  -- The files that it is of.
  alter table voiceplane_fleet.night add column if not exists version text;

  -- The files of whole nights, and since when they are those of the fleet.
  create table if not exists voiceplane_fleet.version (
    version text primary key,
    since timestamptz not null default now()
  );

  -- One row for each organization of each night.
  create table if not exists voiceplane_fleet.result (
    night text not null references voiceplane_fleet.night on delete cascade,
    organization text not null,
    state text not null default 'waiting' check (state in ('waiting', 'deferred', 'retrying', 'done')),
    outcome text check (outcome in ('skipped', 'unchanged', 'applied', 'failed')),
    reason text,
    requests integer not null default 0,
    rotations integer not null default 0,
    uncertain integer default 0,
    next_due_date date,
    notes jsonb not null default '[]',
    pending jsonb not null default '[]',
    seconds real,
    worker text,
    finished_at timestamptz,
    primary key (night, organization)
  );
  alter table voiceplane_fleet.result add column if not exists pending jsonb not null default '[]';
  create index if not exists result_unfinished on voiceplane_fleet.result (organization) where state <> 'done';
  create index if not exists result_finished on voiceplane_fleet.result (organization, finished_at);
  alter table voiceplane_fleet.result add column if not exists log text;
  create index if not exists result_noted on voiceplane_fleet.result (night) where notes <> '[]';
`;

/** The tables of earlier versions, and their schema unless Pulumi's state is in it. */
const moveTables = `
  alter table fleet.record set schema ${schema};
  alter table fleet.night set schema ${schema};
  alter table fleet.result set schema ${schema};
  do $$ begin drop schema fleet; exception when dependent_objects_still_exist then null; end $$;
`;

/**
 * Creates what is missing of the tables, or nothing.
 *
 * @throws Error if Pulumi would not find its state afterwards
 */
export async function createTables(client: Queryable): Promise<void> {
  await inTransaction(client, async () => {
    const { rows } = await client.query<{ role: string; isEarlier: boolean }>(
      `select current_user as role,
        to_regclass('fleet.result') is not null and to_regclass('${schema}.result') is null as "isEarlier"`,
    );
    const { role = "", isEarlier = false } = rows[0] ?? {};
    if ([schema, "pgboss"].includes(role))
      throw new Error(
        `the schema ${role} is the fleet's, and Pulumi would use it for a role of this name: use another role`,
      );
    await client.query(`create schema if not exists ${schema}; ${isEarlier ? moveTables : ""} ${tables}`);
    await requireOneState(client);
  });
}

/** Pulumi uses the first schema of the search path alone: the state in another one would be as if there were none. */
async function requireOneState(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ used: string; isUsed: boolean; name: string; owner: string }>(
    `select quote_ident(current_schema()) as used, nspname = current_schema() as "isUsed", quote_ident(nspname) as name,
        format('role %I in database %I', current_user, current_database()) as owner
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relname = 'pulumi_state' and has_schema_privilege(nspname, 'usage')
        and has_table_privilege(pg_class.oid, 'select')
      order by 2 desc, 3`,
  );
  const states = [];
  for (const row of rows) {
    // The CLI may have made a table that it found empty ever since.
    const stacks = await client.query(
      `select from ${row.name}.pulumi_state where key like '%/.pulumi/stacks/%' limit 1`,
    );
    if (stacks.rowCount !== 0) states.push(row);
  }
  const [state, ...others] = states;
  if (state === undefined || (state.isUsed && others.length === 0)) return;
  throw new Error(
    others.length > 0
      ? `the schemas ${states.map(({ name }) => name).join(" and ")} have state, and Pulumi uses ${state.used} alone: see README.md`
      : `Pulumi looks for its state in the schema ${state.used}, and it is in ${state.name}: ` +
          `run alter ${state.owner} set search_path = ${state.name}`,
  );
}

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
      const text = "select record from voiceplane_fleet.record where organization = $1";
      const { rows } = await client.query<{ record: string }>(text, [organization]);
      return rows[0]?.record;
    },
    async write(record: string): Promise<void> {
      const text = `insert into voiceplane_fleet.record (organization, record) values ($1, $2)
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
        "update voiceplane_fleet.record set record = $3, updated_at = now() where organization = $1 and record = any($2)";
      const { rowCount } = await other.query(update, [organization, written, ended]);
      if (rowCount !== 0) return false;
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
