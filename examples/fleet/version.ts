/** Which files a worker has. Two workers with different ones would set organizations back and forth, and rotate each time. */
import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { folder, timing } from "./settings.ts";

export interface Files {
  /** The commit, or a digest where there is none: no Git, or files that are not as they were committed. */
  readonly version: string;
  /** Of each file, what changes with its content. */
  readonly ids: ReadonlyMap<string, string>;
  /** The same for all files that belong to no organization. */
  readonly shared: string;
}

let known: { readonly files: Promise<Files>; readonly since: number } | undefined;

/** Read again after a while: a checkout may change under a worker that runs. */
function currentFiles(): Promise<Files> {
  if (known === undefined || performance.now() - known.since > timing.superviseSeconds * 1000)
    known = { files: filesAfter(known?.files), since: performance.now() };
  return known.files;
}

const filesAfter = async (last?: Promise<Files>): Promise<Files> => filesIn(folder, await last?.catch(() => undefined));

export const currentVersion = async (): Promise<string> => (await currentFiles()).version;

/** What a run of an organization reads: another one's files do not change it. */
export const revisionOf = async (organization: string): Promise<string> =>
  revisionIn(await currentFiles(), organization);

export function revisionIn({ ids, shared }: Files, organization: string): string {
  const own = [`organizations/${organization}.yaml`, `stacks/Pulumi.${organization}.yaml`];
  return digestOf([shared, ...own.map((file) => ids.get(file))]);
}

const read = ["organizations", "stacks", "package.json", "package-lock.json"];

/** @param last what an earlier call has found there */
export async function filesIn(cwd: string, last?: Files): Promise<Files> {
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)("git", [...args, "--", ...read], { cwd, maxBuffer: 2 ** 26 })).stdout.trim();
  const status = await git("--no-optional-locks", "status", "--porcelain=v2", "--branch").catch(() => "");
  const commit = /^# branch\.oid ([0-9a-f]{12})/m.exec(status)?.[1];
  if (commit !== undefined && status.split("\n").every((line) => line.startsWith("# "))) {
    const version = `commit ${commit}`;
    if (last?.version === version) return last;
    const lines = (await git("ls-tree", "-r", commit)).split("\n");
    return filesOf(
      lines.map((line) => line.split("\t").reverse() as [string, string]),
      version,
    );
  }
  const files = globSync(["organizations/*.yaml", "stacks/*.*", "package*.json"], { cwd }).sort();
  return filesOf(files.map((file) => [file, digestOf(readFileSync(join(cwd, file)))]));
}

function filesOf(ids: readonly (readonly [path: string, id: string])[], version = `files ${digestOf(ids)}`): Files {
  const shared = ids.filter(([path]) => !/^(?:organizations\/|stacks\/Pulumi\.).+\.yaml$/.test(path));
  return { version, ids: new Map(ids), shared: digestOf(shared) };
}

const digestOf = (value: unknown): string =>
  hash("sha256", Buffer.isBuffer(value) ? value : JSON.stringify(value)).slice(0, 12);

/** Why a worker with this version leaves an organization to others: its night has another version. */
export function waitsFor(night: string | null, version: string): string | undefined {
  return night === null || night === version ? undefined : `the worker has ${version}, and the night is of ${night}`;
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
