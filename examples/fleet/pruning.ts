/** Deletes what nobody needs any more: Pulumi has no command for it. A job of each night, and `npm run prune`. */
import type { Queryable } from "./database.ts";
import { queues } from "./queue.ts";
import { database, keepHistoryDays, organizationNames, projectName } from "./settings.ts";

/**
 * Old entries of the history and old backups. The newest entry of each stack stays, because a later run asks for it. The
 * states themselves, the locks and `meta.yaml` are not touched.
 */
export async function prune(client: Queryable): Promise<number> {
  const below = (folder: string): string => `${database}/.pulumi/${folder}/${projectName()}/`;
  const { rowCount } = await client.query(
    `with old as (
        select key, row_number() over (
          partition by regexp_replace(key, '/[^/]*$', ''), key like '%.history.json%' order by key desc) as place
        from pulumi_state
        where (starts_with(key, $1) or starts_with(key, $2)))
      delete from pulumi_state using old
      where pulumi_state.key = old.key and place > 1 and updated_at < now() - make_interval(days => $3)`,
    [below("history"), below("backups"), keepHistoryDays],
  );
  // Of an organization that is gone, nobody makes up for a failure. Not by this machine's files alone, which may be older than others'.
  await client.query(
    `delete from pgboss.job where name = $1 and singleton_key <> all($2) and not exists (
      select from voiceplane_fleet.result join voiceplane_fleet.night using (night)
      where organization = singleton_key and started_at > now() - interval '3 days')`,
    [queues.dead, organizationNames()],
  );
  await client.query("delete from voiceplane_fleet.night where started_at < now() - make_interval(days => $1)", [
    keepHistoryDays,
  ]);
  return rowCount ?? 0;
}
