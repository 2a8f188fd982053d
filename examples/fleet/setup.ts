/** Creates what is missing of the fleet's tables and queues. */
import { readFileSync } from "node:fs";
import { inTransaction, withConnection, type Queryable } from "./database.ts";
import { createQueues, withBoss } from "./queue.ts";

/** @throws Error if Pulumi would not find its state afterwards: then nothing has changed */
export async function setUp(): Promise<void> {
  await withConnection((client) =>
    inTransaction(client, async () => {
      const { rows } = await client.query<{ role: string }>("select current_user as role");
      const { role = "" } = rows[0] ?? {};
      if (["voiceplane_fleet", "pgboss"].includes(role))
        throw new Error(
          `the schema ${role} is the fleet's, and Pulumi would use it for a role of this name: use another role`,
        );
      await client.query(readFileSync(new URL("tables.sql", import.meta.url), "utf8"));
      await requireOneState(client);
      // A trial marks the schema as its own. This fleet is a real one.
      await client.query("comment on schema voiceplane_fleet is null");
    }),
  );
  await withBoss(createQueues);
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
    const stacks = `select from ${row.name}.pulumi_state where key like '%/.pulumi/stacks/%' limit 1`;
    if ((await client.query(stacks)).rowCount !== 0) states.push(row);
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
