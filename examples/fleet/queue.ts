/** The queues: one job for each organization, its dead letters, and two clocks. */
import { PgBoss, type ConnectionOptions } from "pg-boss";
import { explained } from "./database.ts";
import { database, timing } from "./settings.ts";

export const queues = {
  organization: "organization",
  /** Jobs that failed for good: one for each organization that needs a person, until a later run of it succeeds. */
  dead: "organization-dead",
  night: "night",
  prune: "prune",
} as const;

export interface OrganizationJob {
  readonly organization: string;
  /** When this organization was first deferred, ISO 8601. */
  readonly deferredSince?: string;
}

/** Connects with the PG* variables. */
export function createBoss(isWorker = false): PgBoss {
  const boss = new PgBoss({
    database,
    application_name: "fleet queue",
    max: 4,
    schedule: isWorker,
    supervise: isWorker,
    superviseIntervalSeconds: timing.superviseSeconds,
    monitorIntervalSeconds: timing.superviseSeconds,
  });
  // pg-boss tries again. Without a listener, an error would end the process.
  let last = "";
  boss.on("error", (error) => {
    const line = `queue: ${explained(error).replace(/ \(Queue: .*$/, "")}`;
    if (line !== last) console.error(line);
    last = line;
  });
  return boss;
}

/** For a command, which is no worker. */
export async function withBoss<T>(action: (boss: PgBoss) => Promise<T>): Promise<T> {
  const boss = createBoss();
  await boss.start();
  try {
    return await action(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Creates the queues. One that exists gets the settings of now. */
export async function createQueues(boss: PgBoss): Promise<void> {
  const settings = {
    heartbeatSeconds: timing.heartbeatSeconds,
    expireInSeconds: 4 * 3600,
    retryLimit: timing.retryLimit,
    retryDelay: timing.retrySeconds,
    retryBackoff: true,
  };
  await boss.createQueue(queues.dead, { retentionSeconds: 30 * 86_400 });
  // With a key: at most one job of an organization waits or runs.
  await boss.createQueue(queues.organization, { policy: "exclusive", deadLetter: queues.dead, ...settings });
  await boss.updateQueue(queues.organization, settings);
  for (const name of [queues.night, queues.prune])
    await boss.createQueue(name, { policy: "exclusive", retryLimit: 3, retryDelay: 60 });
}

/** All of it, or nothing, on a connection of the queue's. */
export async function inQueueTransaction(
  boss: PgBoss,
  action: (db: NonNullable<ConnectionOptions["db"]>) => Promise<void>,
): Promise<void> {
  const transaction = await boss.getDb().beginTransaction?.();
  if (!transaction) throw new Error("the queue's connection has no transactions");
  try {
    await action(transaction.db);
    await transaction.commit();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/**
 * Puts a job back for later, as often as needed: it counts neither as a failure nor as a retry. One transaction ends the
 * job and sends its successor, because two jobs of an organization cannot wait at once.
 *
 * @param startAfter seconds
 */
export async function defer(boss: PgBoss, id: string, data: OrganizationJob, startAfter: number): Promise<void> {
  await inQueueTransaction(boss, async (db) => {
    await boss.complete(queues.organization, id, { deferred: true }, { db });
    await boss.send(queues.organization, data, { singletonKey: data.organization, startAfter, db });
  });
}
