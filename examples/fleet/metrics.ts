/** What a worker tells Prometheus, and the page of the fleet. On loopback, unless FLEET_METRICS names another address. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Counter, Gauge, Histogram, register } from "prom-client";
import { explained } from "./errors.ts";
import { briefly, latest, readFacts, shared } from "./facts.ts";
import type { Turn } from "./organization.ts";
import { fleetPage, headers } from "./page.ts";
import { queues } from "./queue.ts";
import { metrics, organizationNames } from "./settings.ts";

const runs = new Counter({ name: "fleet_runs_total", help: "Runs by outcome", labelNames: ["outcome"] });
const seconds = new Histogram({
  name: "fleet_run_seconds",
  help: "Duration of a run",
  labelNames: ["outcome"],
  buckets: [0.01, 0.1, 1, 2, 5, 10, 30, 60, 300, 1800],
});
const requests = new Counter({ name: "fleet_requests_total", help: "Requests to the control plane" });
const rotations = new Counter({ name: "fleet_rotations_total", help: "Rotations of webhook secrets" });
const uncertain = new Counter({
  name: "fleet_uncertain_objects_total",
  help: "Objects of which a lost answer leaves open what the server has",
});

// These are the fleet's, so every worker answers the same. Read at each scrape.
const queue = new Gauge({ name: "fleet_queue_jobs", help: "Jobs by queue and state", labelNames: ["queue", "state"] });
const due = new Gauge({ name: "fleet_next_due_timestamp_seconds", help: "The earliest due date of all organizations" });
const oldest = new Gauge({
  name: "fleet_oldest_success_timestamp_seconds",
  help: "Of the last successes of all organizations, the oldest; of one without any, its first night that is kept",
});
const failing = new Gauge({ name: "fleet_failing_organizations", help: "Organizations whose last run failed" });

export function countTurn(turn: Turn): void {
  if (turn.kind === "later") {
    runs.inc({ outcome: "deferred" });
    return;
  }
  const { outcome } = turn;
  runs.inc({ outcome: outcome.outcome });
  seconds.observe({ outcome: outcome.outcome }, outcome.seconds);
  requests.inc(outcome.requests);
  rotations.inc(outcome.rotations);
  uncertain.inc(outcome.uncertain ?? 0);
}

async function readFleet(): Promise<void> {
  await briefly(async (client) => {
    const jobs = await client.query<{ name: string; state: string; count: number }>(
      "select name, state::text, count(*) from pgboss.job where name = any($1) group by 1, 2",
      [[queues.organization, queues.dead]],
    );
    queue.reset();
    for (const { name, state, count } of jobs.rows) queue.set({ queue: name, state }, count);

    const { rows } = await client.query<{ due: number | null; oldest: number | null; failing: number }>(
      `with ${latest},
      success as (
        select coalesce(
          (select finished_at from voiceplane_fleet.result
            where result.organization = named.organization and finished_at is not null and outcome <> 'failed'
            order by finished_at desc limit 1),
          (select min(started_at) from voiceplane_fleet.result join voiceplane_fleet.night using (night)
            where result.organization = named.organization)) as at
        from named)
      select extract(epoch from (select min(next_due_date) from latest))::float8 as due,
        extract(epoch from (select min(at) from success))::float8 as oldest,
        (select count(*) from latest where outcome = 'failed') as failing`,
      [organizationNames()],
    );
    const [row] = rows;
    // Without a value, no comparison of an alert holds.
    due.set(row?.due ?? NaN);
    oldest.set(row?.oldest ?? NaN);
    failing.set(row?.failing ?? 0);
  });
}

interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const reads: Readonly<Record<string, () => Promise<Answer>>> = {
  "/": shared(async () => ({ headers, text: fleetPage(await readFacts()) })),
  "/metrics": shared(async () => {
    await readFleet();
    return { headers: { "Content-Type": register.contentType }, text: await register.metrics() };
  }),
};

/** Returns a function that stops it. */
export async function serveMetrics(): Promise<() => void> {
  if (metrics === "off") return () => undefined;
  const [host = "", port = ""] = metrics.split(/:(?=\d+$)/);
  const server = createServer((request, response) => {
    const read = request.method === "GET" ? reads[request.url ?? ""] : undefined;
    if (!read) {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (answer) => response.writeHead(200, answer.headers).end(answer.text),
      (error: unknown) => response.writeHead(503).end(`${explained(error)}\n`),
    );
  });
  await new Promise<void>((resolve) => {
    // A second worker on the machine does its work without metrics.
    server.once("error", (error) => {
      console.error(`metrics: ${explained(error)}: FLEET_METRICS names another address`);
      resolve();
    });
    server.listen(Number(port), host, () => {
      const { port: taken } = server.address() as AddressInfo;
      console.log(`metrics at http://${host}:${taken}/metrics`);
      resolve();
    });
  });
  return () => server.close();
}
