/** A PostgreSQL for the tests of one file, and a database for each fleet. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import { connectionOf, startPostgres, type Postgres } from "../../../tools/fleet/postgres-server";

const root = resolve(__dirname, "../../..");
const setup = readFileSync(join(root, "examples/fleet/setup.sql"), "utf8");
const copied = "/tmp/voiceplane-postgres-programs-";

let server: Postgres | undefined;
let programs = "";
let count = 0;

afterAll(async () => {
  await server?.stop();
  if (programs.startsWith(copied)) rmSync(dirname(programs), { recursive: true, force: true });
});

/** The variables of a role and its database, which createDatabase() makes. @param name of both. Default: one that no other has */
export async function databaseOf(name = `fleet${(count += 1)}`): Promise<Record<string, string>> {
  const { env } = await running();
  return { ...env, PGUSER: name, PGPASSWORD: "a password", PGDATABASE: name };
}

/** By what `setup` stores: a database that it has prepared, and the role of its tables. */
const prepared = new Map<string, { readonly database: string; readonly role: string }>();

/**
 * By setup.sql, with other names.
 *
 * @param settings what `setup` stores: if it has prepared a database with them, the new one is a copy, in a tenth of the time
 * @returns whether it is a copy
 */
export async function createDatabase(
  { PGDATABASE: database = "", PGUSER: role = "" }: Readonly<Record<string, string>>,
  settings?: string,
): Promise<boolean> {
  const known = settings === undefined ? undefined : prepared.get(settings);
  const statements = setup
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\bfleet\b/g, database)
    .replace(/^\\password (\w+)$/m, "alter role $1 password 'a password';")
    .replace(/create database .*(?=;)/, known ? `$& template ${known.database}` : "$&");
  await asSuperuser("postgres", async (client) => {
    for (const statement of statements.split(";")) if (statement.trim()) await client.query(statement);
  });
  if (known) await asSuperuser(database, (client) => client.query(`reassign owned by ${known.role} to ${role}`));
  return known !== undefined;
}

/** Keeps a copy of a database that `setup` has prepared. */
export async function keepPrepared(
  { PGDATABASE: database = "", PGUSER: role = "" }: Readonly<Record<string, string>>,
  settings: string,
): Promise<void> {
  const copy = `prepared${prepared.size + 1}`;
  await asSuperuser("postgres", (client) => client.query(`create database ${copy} template ${database}`));
  prepared.set(settings, { database: copy, role });
}

/** What only a superuser may do. */
export async function asSuperuser<T>(database: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  const { env } = await running();
  return withClient(connectionOf(env, database), action);
}

export async function withClient<T>(config: pg.ClientConfig, action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

async function running(): Promise<Postgres> {
  if (server) return server;
  programs = execFileSync(process.execPath, [join(root, "tools/fleet/postgres.mjs")], { encoding: "utf8" }).trim();
  server = await startPostgres(programs);
  return server;
}
