/** A worker: takes organizations from the queue until it is told to stop. Run as many as you like. See README.md. */
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Job, JobResult } from "pg-boss";
import { withConnection } from "./database.ts";
import { explained } from "./errors.ts";
import { countTurn, serveMetrics } from "./metrics.ts";
import { failure, noteDead, noteDeferred, noteDone, resend, startNight } from "./nights.ts";
import { takeTurn } from "./organization.ts";
import { prune } from "./pruning.ts";
import { createBoss, defer, queues, type OrganizationJob } from "./queue.ts";
import { concurrency, cron, organizationNames, projectName, timeZone, timing } from "./settings.ts";

const name = `${hostname()}:${process.pid}`;
const boss = createBoss({ isWorker: true });

// Every run starts the same program and provider: Node need not compile them each time. It runs what is in this folder in place of the
// sources, so the folder is this worker's alone.
const compileCache = mkdtempSync(join(tmpdir(), "fleet-compile-cache-"));
process.env.NODE_COMPILE_CACHE = compileCache;
process.on("exit", () => {
  rmSync(compileCache, { recursive: true, force: true });
});

/** Never throws: one organization's failure is its own. */
async function work(job: Job<OrganizationJob>, retriesLeft: number): Promise<JobResult> {
  const { organization } = job.data;
  try {
    const turn = await takeTurn(organization, name, retriesLeft);
    countTurn(turn);
    if (turn.kind === "later") {
      // What this worker cannot take, others can at once: it comes back to this one only if none does.
      const result = await later(job, turn.reason, turn.isOther ? 0 : timing.deferSeconds);
      if (turn.isOther) await pause(turn.reason);
      return result;
    }
    const { outcome } = turn;
    console.log(JSON.stringify({ organization, ...outcome }));
    if (turn.kind === "done") return { id: job.id, status: "completed", output: outcome };
    return { id: job.id, status: turn.again ? "failed" : "deadletter", output: outcome };
  } catch (error) {
    // PostgreSQL itself is away or full. The job comes back when it answers again.
    console.error(`${organization}: ${explained(error)}`);
    return { id: job.id, status: "failed", output: failure(explained(error), null) };
  }
}

const stopped = new AbortController();

async function pause(reason: string): Promise<void> {
  console.error(`waiting: ${reason}`);
  await setTimeout(timing.deferSeconds * 1000, undefined, { signal: stopped.signal }).catch(() => undefined);
}

async function later(job: Job<OrganizationJob>, reason: string, seconds: number): Promise<JobResult> {
  const { organization, deferredSince = new Date().toISOString() } = job.data;
  const minutes = (Date.now() - Date.parse(deferredSince)) / 60_000;
  if (minutes > timing.deferForMinutes) {
    const outcome = failure(`waited for ${Math.round(minutes)} minutes: ${reason}`, 0);
    await withConnection((client) => noteDone(client, organization, name, outcome));
    return { id: job.id, status: "deadletter", output: outcome };
  }
  await withConnection((client) => noteDeferred(client, organization, reason));
  await defer(boss, job, { organization, deferredSince }, seconds);
  return { id: job.id, status: "completed", output: { deferred: true } };
}

async function start(): Promise<() => void> {
  projectName(); // A wrong project is a problem of the worker, not of each organization.
  await boss.start();
  await boss.schedule(queues.night, cron, null, { tz: timeZone, missed: "once" });
  await boss.schedule(queues.prune, cron, null, { tz: timeZone });
  await boss.work(queues.night, () => told(queues.night, () => startNight(boss, organizationNames(), true)));
  await boss.work(queues.prune, () => told(queues.prune, () => withConnection(prune)));
  const options = { pollingIntervalSeconds: timing.pollSeconds, perJobResults: true, includeMetadata: true } as const;
  for (let place = 0; place < concurrency; place += 1) {
    let id = "";
    id = await boss.work<OrganizationJob, unknown, typeof options>(queues.organization, options, (jobs) => {
      // The next job at once: a skip takes milliseconds, and the wait between two looks at the queue is for an empty one.
      boss.notifyWorker(id);
      return Promise.all(jobs.map((job) => work(job, job.retryLimit - job.retryCount)));
    });
  }
  const stopMetrics = await serveMetrics();
  const supervise = setInterval(() => {
    withConnection(async (client) => {
      await noteDead(client);
      await resend(boss, client);
    }).catch((error: unknown) => {
      console.error(`rows without a job: ${explained(error)}`);
    });
  }, timing.superviseSeconds * 1000);
  return () => {
    clearInterval(supervise);
    stopMetrics();
  };
}

/** pg-boss tries a job again that fails, and tells nobody. */
async function told(queue: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    console.error(`${queue}: ${explained(error)}`);
    throw error;
  }
}

const stopReports = await start().catch((error: unknown) => {
  console.error(explained(error));
  process.exit(1);
});
console.log(`worker ${name} is ready`);

let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // A second signal does not wait. The engine's process finishes by itself, and another worker notes its outcome.
    if (stopping) process.exit(1);
    stopping = true;
    stopped.abort();
    stopReports();
    void boss.stop({ graceful: true, timeout: 15 * 60_000 }).then(() => process.exit(0));
  });
}
