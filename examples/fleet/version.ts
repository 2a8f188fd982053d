/** Which files a worker has. Two workers with different ones would set organizations back and forth, and rotate each time. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Queryable } from "./database.ts";
import { folder, timing } from "./settings.ts";

let known: { readonly version: Promise<string>; readonly since: number } | undefined;

/** Read again after a while: a checkout may change under a worker that runs. */
export function currentVersion(): Promise<string> {
  if (known === undefined || performance.now() - known.since > timing.superviseSeconds * 1000)
    known = { version: versionOf(folder), since: performance.now() };
  return known.version;
}

/** The commit, or a digest of the files where there is none: no Git, or files that are not as they were committed. */
export async function versionOf(cwd: string): Promise<string> {
  const args = ["--no-optional-locks", "status", "--porcelain=v2", "--branch", "--", "organizations", "stacks"];
  const git = promisify(execFile)("git", args, { cwd, maxBuffer: 2 ** 26 });
  const lines = await git.then(
    ({ stdout }) => stdout.trim().split("\n"),
    () => [],
  );
  const commit = /^# branch\.oid ([0-9a-f]{12})/m.exec(lines.join("\n"))?.[1];
  if (commit !== undefined && lines.every((line) => line.startsWith("# "))) return `commit ${commit}`;
  const hash = createHash("sha256");
  for (const file of globSync(["organizations/*.yaml", "stacks/*.*"], { cwd }).sort())
    for (const part of [file, readFileSync(join(cwd, file))]) hash.update(part).update("\0");
  return `files ${hash.digest("hex").slice(0, 12)}`;
}

/** Why a worker with this version leaves an organization to others: its night has another version. */
export async function waitsFor(client: Queryable, organization: string, version: string): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string | null }>(
    `select version from voiceplane_fleet.night left join voiceplane_fleet.result
        on result.night = night.night and organization = $1 and state <> 'done'
      order by organization is null, started_at desc limit 1`,
    [organization],
  );
  const night = rows[0]?.version ?? version;
  return night === version ? undefined : `the worker has ${version}, and the night is of ${night}`;
}

/**
 * Notes the version of a whole night.
 *
 * @throws Error if the schedule would go back to a replaced version: the worker may be one that was not updated. A person may, by
 * `npm run night`.
 */
export async function noteVersion(
  query: (text: string, values?: unknown[]) => Promise<{ readonly rows: { readonly version: string }[] }>,
  version: string,
  isScheduled: boolean,
): Promise<void> {
  await query(
    `insert into voiceplane_fleet.version (version) values ($1)
      on conflict (version) do update set since = case when $2 then version.since else now() end`,
    [version, isScheduled],
  );
  const { rows } = await query("select version from voiceplane_fleet.version order by since desc limit 1");
  const newest = rows[0]?.version ?? version;
  if (newest !== version)
    throw new Error(`the worker has ${version}, which ${newest} replaced: update it, or go back by npm run night`);
}
