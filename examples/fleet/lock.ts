/** One worker at a time for an organization: an advisory lock of PostgreSQL. */
import type pg from "pg";
import { connect } from "./database.ts";

export interface Lock {
  /**
   * The connection that holds the lock. Read and write through it what the work needs: if it breaks, the lock is gone, the
   * next query fails, and nothing more is started.
   */
  readonly client: pg.Client;
  /** When it was taken, by the clock of PostgreSQL. */
  readonly since: string;
  release(): Promise<void>;
}

/**
 * PostgreSQL notices within a minute that a worker's machine is gone. Otherwise, the lock would stay for two hours, as
 * long as the system's usual keepalive.
 */
const keepalive = "set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3";

/** undefined if another worker holds the lock. */
export async function takeLock(organization: string): Promise<Lock | undefined> {
  const client = await connect({ application_name: `fleet ${organization}`, keepAlive: true });
  try {
    await client.query(keepalive);
    const text = "select pg_try_advisory_lock(hashtextextended($1, 0)) as held, now()::text as since";
    const { rows } = await client.query<{ held: boolean; since: string }>(text, [`voiceplane fleet ${organization}`]);
    if (rows[0]?.held) return { client, since: rows[0].since, release: () => client.end() };
    await client.end();
    return undefined;
  } catch (error) {
    await client.end();
    throw error;
  }
}
