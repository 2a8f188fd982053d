/** Connections to PostgreSQL, and its errors in one line each. */
import pg from "pg";
import { database } from "./settings.ts";

// A count or a sum fits into a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// A date stays the text that it is: 2026-11-20.
pg.types.setTypeParser(pg.types.builtins.DATE, String);

export type Queryable = Pick<pg.Client, "query">;

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
    // This fails too if the connection broke, which ends the transaction as well.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** An error's message in one line; PostgreSQL's with what to do. */
export function explained(thrown: unknown): string {
  const error: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  const message = String(error).replace(/^\w*error: /i, "");
  const line = message
    .split(/\s*\n\s*/)
    .filter(Boolean)
    .join(" ");
  if (line.includes('"pulumi_state" does not exist')) return `${line}: run npm run adopt`;
  if (/^Queue \S+ not found/.test(line)) return notSetUp(line);
  return advice[(error as { code?: string }).code ?? ""]?.(line) ?? line;
}

const unreachable = (line: string): string => `PostgreSQL does not answer (${line}): PGHOST and PGPORT name it`;
const refused = (line: string): string => `PostgreSQL refuses the user (${line}): PGUSER and PGPASSWORD name it`;
const notSetUp = (line: string): string => `${line}: run npm run setup`;

const advice: Readonly<Record<string, (line: string) => string>> = {
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  ETIMEDOUT: unreachable,
  "28P01": refused,
  "28000": refused,
  "3D000": (line) => `${line}: see setup.sql, or set PGDATABASE (now ${database})`,
  "3F000": notSetUp,
  "42P01": notSetUp,
  "42703": notSetUp,
  "42501": (line) => `${line}: the role needs the rights of setup.sql`,
  "53100": (line) => `PostgreSQL's disk is full (${line})`,
};
