/** A worker: takes organizations from the queue until it gets a signal to stop. */
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { JobResult, JobWithMetadata } from "pg-boss";
import { budget } from "./budget.ts";
import { explained, withConnection } from "./database.ts";
import { countTurn, serveMetrics } from "./metrics.ts";
import { failure, noteDead, noteDeferred, noteOutcome, resend, startNight } from "./nights.ts";
import { takeTurn } from "./organization.ts";
import { createBoss, defer, queues, type OrganizationJob } from "./queue.ts";
import { concurrency, cron, organizationNames, projectName, timeZone, timing } from "./settings.ts";
import { prune } from "./stacks.ts";

const name = `${hostname()}:${process.pid}`;
const boss = createBoss(true);
const stopped = new AbortController();

// Every run starts the same program and provider: Node need not compile them each time. It runs what is in this folder in place of the
// sources, so the folder is this worker's alone.
const compileCache = mkdtempSync(join(tmpdir(), "fleet-compile-cache-"));
process.env.NODE_COMPILE_CACHE = compileCache;
process.on("exit", () => {
  rmSync(compileCache, { recursive: true, force: true });
});

/** Never throws: one organization's failure is its own. */
async function work(job: JobWithMetadata<OrganizationJob>): Promise<JobResult> {
  const { id, data, retryLimit, retryCount } = job;
  const { organization } = data;
  try {
    const turn = await takeTurn(organization, name, retryLimit - retryCount);
    countTurn(turn);
    if (turn.kind === "later") {
      // What this worker cannot take, others can at once: it gets the job again only if none does.
      const result = await later(id, data, turn.reason, turn.isOther ? 0 : timing.deferSeconds);
      if (turn.isOther) await pause(turn.reason);
      return result;
    }
    const { outcome: output, again } = turn;
    console.log(JSON.stringify({ organization, ...output }));
    return { id, status: output.outcome !== "failed" ? "completed" : again ? "failed" : "deadletter", output };
  } catch (error) {
    // PostgreSQL itself is away or full. The job is tried again when it answers.
    console.error(`${organization}: ${explained(error)}`);
    return { id, status: "failed", output: failure(explained(error)) };
  }
}

async function pause(reason: string): Promise<void> {
  console.error(`waiting: ${reason}`);
  await setTimeout(timing.deferSeconds * 1000, undefined, { signal: stopped.signal }).catch(() => undefined);
}

async function later(id: string, data: OrganizationJob, reason: string, seconds: number): Promise<JobResult> {
  const { organization, deferredSince = new Date().toISOString() } = data;
  const minutes = (Date.now() - Date.parse(deferredSince)) / 60_000;
  if (minutes > timing.deferForMinutes) {
    const output = failure(`waited for ${Math.round(minutes)} minutes: ${reason}`);
    await withConnection((client) => noteOutcome(client, organization, output, name));
    return { id, status: "deadletter", output };
  }
  await withConnection((client) => noteDeferred(client, organization, reason));
  await defer(boss, id, { organization, deferredSince }, seconds);
  return { id, status: "completed", output: { deferred: true } };
}

/** pg-boss tries a job again that fails, and reports it to nobody. */
const reporting = (queue: string, action: () => Promise<unknown>) => () =>
  action().catch((error: unknown) => {
    console.error(`${queue}: ${explained(error)}`);
    throw error;
  });

/** Returns what stops all but the queue. */
async function start(): Promise<() => void> {
  // A wrong project or budget is a problem of the worker, not of each organization.
  projectName();
  budget();
  await boss.start();
  const jobs = {
    [queues.night]: () => startNight(boss, organizationNames(), true),
    [queues.prune]: () => withConnection(prune),
  };
  for (const [queue, action] of Object.entries(jobs)) {
    await boss.schedule(queue, cron, null, { tz: timeZone, ...(queue === queues.night && { missed: "once" }) });
    await boss.work(queue, reporting(queue, action));
  }
  const options = { pollingIntervalSeconds: timing.pollSeconds, perJobResults: true, includeMetadata: true } as const;
  for (let place = 0; place < concurrency; place += 1) {
    let id = "";
    id = await boss.work<OrganizationJob, unknown, typeof options>(queues.organization, options, (jobs) => {
      // The next job at once: a skip takes milliseconds, and the wait between two looks at the queue is for an empty one.
      boss.notifyWorker(id);
      return Promise.all(jobs.map(work));
    });
  }
  const stopMetrics = await serveMetrics();
  const supervise = reporting("rows without a job", () =>
    withConnection(async (client) => {
      await noteDead(client);
      await resend(boss, client);
    }),
  );
  const timer = setInterval(() => void supervise().catch(() => undefined), timing.superviseSeconds * 1000);
  return () => {
    clearInterval(timer);
    stopMetrics();
  };
}

const stopReports = await start().catch((error: unknown) => {
  console.error(explained(error));
  process.exit(1);
});
console.log(`worker ${name} is ready`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // A second signal does not wait. The engine's process finishes without it, and another worker notes its outcome.
    if (stopped.signal.aborted) process.exit(1);
    stopped.abort();
    stopReports();
    void boss.stop({ graceful: true, timeout: 15 * 60_000 }).then(() => process.exit(0));
  });
}
