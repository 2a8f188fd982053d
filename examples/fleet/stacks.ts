/** The stacks of the organizations: creates one, previews one, and deletes their old history. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { withConnection, type Queryable } from "./database.ts";
import { stateVersion } from "./lock.ts";
import { queues } from "./queue.ts";
import * as settings from "./settings.ts";
import { tokenOf } from "./tokens.ts";

/**
 * Creates a stack with its own salt, or with that of its file. The salt has to be the same on each machine, so the file is checked in.
 *
 * @param secretsProvider the URL of a key service, instead of a passphrase and a salt
 */
export async function adopt(name: string, baseUrl: string, secretsProvider?: string): Promise<void> {
  const problem = settings.problemOfName(name);
  if (problem !== undefined) throw new Error(`${name}: ${problem}`);
  settings.projectName();
  if (!existsSync(settings.organizationFileOf(name))) throw new Error(`write organizations/${name}.yaml first`);
  const file = settings.stackFileOf(name);
  if (!existsSync(file)) {
    // The name identifies the organization, also if its address changes.
    const config = { organizationFile: `../organizations/${name}.yaml`, baseUrl, account: name };
    const lines = Object.entries(config).map(([key, value]) => `  voiceplane:${key}: ${value}\n`);
    writeFileSync(file, `config:\n${lines.join("")}`);
  }
  if (hasKey(name) && (await isInState(name))) return;
  // The CLI keeps the key of the file only if it gets the same service.
  const service = /^secretsprovider: *(.+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? secretsProvider;
  const provider = service === undefined ? [] : ["--secrets-provider", service];
  const args = ["stack", "init", name, "--non-interactive", "--no-select", ...provider];
  const options = { cwd: settings.stacksFolder, env: settings.pulumiEnv() };
  await promisify(execFile)("pulumi", args, options).catch((error: unknown) => {
    const { message, syscall, stderr = "" } = error as NodeJS.ErrnoException & { stderr?: string };
    throw new Error(
      syscall === undefined
        ? `pulumi ${args.join(" ")} failed: ${stderr.trim()}`
        : `the Pulumi CLI cannot be started (${message}): install it, or put it on PATH`,
    );
  });
}

/** A file that is checked in may be of another database. */
const isInState = (name: string): Promise<boolean> =>
  withConnection(async (client) => {
    const { rows } = await client.query<{ found: string | null }>("select to_regclass('pulumi_state') as found");
    return rows[0]?.found != null && (await stateVersion(client, name)) !== undefined;
  });

/** Whether a stack's file has what its secrets are encrypted with: the salt of a passphrase, or the key of a key service. */
export function hasKey(name: string): boolean {
  const file = settings.stackFileOf(name);
  return existsSync(file) && /^(encryptionsalt|encryptedkey):/m.test(readFileSync(file, "utf8"));
}

/** Shows what the next run would change. Sends nothing. Returns the exit code. */
export async function preview(name: string): Promise<number> {
  const env = settings.pulumiEnv(await tokenOf(name));
  const options = { cwd: settings.stacksFolder, env, stdio: "inherit" } as const;
  const [code] = (await once(spawn("pulumi", ["preview", "--stack", name], options), "close")) as [number | null];
  return code ?? 1;
}

/**
 * Deletes what nobody needs any more, which Pulumi has no command for: old entries of the history and old backups. The newest
 * entry of each stack stays, because a later run asks for it. States, locks and `meta.yaml` are not touched.
 */
export async function prune(client: Queryable): Promise<number> {
  const below = (folder: string): string => `${settings.database}/.pulumi/${folder}/${settings.projectName()}/`;
  const { rowCount } = await client.query(
    `with old as (
        select key, row_number() over (
          partition by regexp_replace(key, '/[^/]*$', ''), key like '%.history.json%' order by key desc) as place
        from pulumi_state
        where (starts_with(key, $1) or starts_with(key, $2)))
      delete from pulumi_state using old
      where pulumi_state.key = old.key and place > 1 and updated_at < now() - make_interval(days => $3)`,
    [below("history"), below("backups"), settings.keepHistoryDays],
  );
  // Dead letters of organizations that are gone, also from the last nights: this machine's files may be older than others'.
  await client.query(
    `delete from pgboss.job where name = $1 and singleton_key <> all($2) and not exists (
      select from voiceplane_fleet.result join voiceplane_fleet.night using (night)
      where organization = singleton_key and started_at > now() - interval '3 days')`,
    [queues.dead, settings.organizationNames()],
  );
  const nights = "delete from voiceplane_fleet.night where started_at < now() - make_interval(days => $1)";
  await client.query(nights, [settings.keepHistoryDays]);
  return rowCount ?? 0;
}
