/** A PostgreSQL for the tests of one file, and a database for each fleet. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import { connectionOf, startPostgres, type Postgres } from "../../../examples/fleet/postgres";

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

/**
 * The variables of a role that owns a new database: setup.sql, with other names.
 *
 * @param name of both. Default: one that no other database has
 */
export async function newDatabase(name = `fleet${(count += 1)}`): Promise<Record<string, string>> {
  const { env } = await running();
  const statements = setup
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\bfleet\b/g, name)
    .replace(/^\\password (\w+)$/m, "alter role $1 password 'a password';");
  await asSuperuser("postgres", async (client) => {
    for (const statement of statements.split(";")) if (statement.trim()) await client.query(statement);
  });
  return { ...env, PGUSER: name, PGPASSWORD: "a password", PGDATABASE: name };
}

/** By what setup.ts stores: a database that it has prepared, and the role of its tables. */
const prepared = new Map<string, { readonly database: string; readonly role: string }>();

/**
 * Runs `setup` in the first new database with these settings. Later ones become copies, which takes a tenth of the time.
 *
 * @param settings what `setup` stores
 */
export async function prepareOnce(
  { PGDATABASE: database = "", PGUSER: role = "" }: Readonly<Record<string, string>>,
  settings: string,
  setup: () => Promise<unknown>,
): Promise<void> {
  const known = prepared.get(settings);
  if (known === undefined) {
    await setup();
    const copy = `prepared${prepared.size + 1}`;
    await asSuperuser("postgres", (client) => client.query(`create database ${copy} template ${database}`));
    prepared.set(settings, { database: copy, role });
    return;
  }
  await asSuperuser("postgres", async (client) => {
    await client.query(`drop database ${database}`);
    await client.query(`create database ${database} owner ${role} template ${known.database}`);
    await client.query(`revoke all on database ${database} from public`);
  });
  await asSuperuser(database, (client) => client.query(`reassign owned by ${known.role} to ${role}`));
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
