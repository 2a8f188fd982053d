/** Serves the page of the fleet and metrics for Prometheus. On loopback, unless FLEET_METRICS names another address. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Counter, Gauge, Histogram, register } from "prom-client";
import { risks } from "pulumi-voiceplane/apply";
import { budget } from "./budget.ts";
import { explained, type Queryable } from "./database.ts";
import { briefly, latest, readFacts } from "./facts.ts";
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
  help: "Objects whose state on the server is unknown, because an answer was lost",
});

const risky = new Counter({
  name: "fleet_risks_total",
  help: "Runs by the risks of what they changed",
  labelNames: ["risk"],
});
// Without a first sample of 0, nothing sees the first one.
for (const risk of risks) risky.inc({ risk }, 0);

// Of the whole fleet, so they are the same in every worker. Read at each scrape.
const queue = new Gauge({ name: "fleet_queue_jobs", help: "Jobs by queue and state", labelNames: ["queue", "state"] });
const due = new Gauge({ name: "fleet_next_due_timestamp_seconds", help: "The earliest due date of all organizations" });
const oldest = new Gauge({
  name: "fleet_oldest_success_timestamp_seconds",
  help: "Of the last successes of all organizations, the oldest; without any, the organization's first night that is kept",
});
const held = new Gauge({
  name: "fleet_held_organizations",
  help: "Organizations that wait for a person's release, by the risk over the budget",
  labelNames: ["risk"],
});
const stoppedNight = new Gauge({ name: "fleet_night_stopped", help: "Whether the newest night was stopped" });
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
  for (const risk of outcome.risks) risky.inc({ risk });
}

const fleetQuery = `with ${latest},
  success as (
    select coalesce(
      (select finished_at from voiceplane_fleet.result
        where result.organization = named.organization and finished_at is not null and outcome not in ('failed', 'held')
        order by finished_at desc limit 1),
      (select min(started_at) from voiceplane_fleet.result join voiceplane_fleet.night using (night)
        where result.organization = named.organization)) as at
    from named)
  select exists (select from voiceplane_fleet.decision where risk is null and night = (
      select night from voiceplane_fleet.night order by started_at desc limit 1))::integer as "stoppedNight",
    extract(epoch from (select min(next_due_date) from latest))::float8 as due,
    extract(epoch from (select min(at) from success))::float8 as oldest,
    (select count(*) from latest where outcome = 'failed') as failing`;

async function readGauges(client: Queryable): Promise<void> {
  const jobs = await client.query<{ name: string; state: string; count: number }>(
    "select name, state::text, count(*) from pgboss.job where name = any($1) group by 1, 2",
    [[queues.organization, queues.dead]],
  );
  queue.reset();
  for (const { name, state, count } of jobs.rows) queue.set({ queue: name, state }, count);

  held.reset();
  for (const risk of budget().keys()) held.set({ risk }, 0);
  const ofRisks = await client.query<{ risk: string; count: number }>(
    `with ${latest} select risk, count(*) from latest, unnest(held) as risk where outcome = 'held' group by 1`,
    [organizationNames()],
  );
  for (const { risk, count } of ofRisks.rows) held.set({ risk }, count);

  const gauges = { due, oldest, failing, stoppedNight };
  const found = await client.query<Record<keyof typeof gauges, number | null>>(fleetQuery, [organizationNames()]);
  // NaN if there is no value: then no comparison of an alert holds.
  for (const row of found.rows)
    for (const [name, gauge] of Object.entries(gauges)) gauge.set(row[name as keyof typeof gauges] ?? NaN);
}

/** Who asks during an answer gets the same one. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= read().finally(() => {
      running = undefined;
    }));
}

const answers: Readonly<Record<string, () => Promise<{ headers: Readonly<Record<string, string>>; text: string }>>> = {
  "/": shared(async () => ({ headers, text: fleetPage(await readFacts()) })),
  "/metrics": shared(async () => {
    await briefly(readGauges);
    return { headers: { "Content-Type": register.contentType }, text: await register.metrics() };
  }),
};

/** Returns a function that stops it. A second worker on the machine does its work without: the port is taken. */
export async function serveMetrics(): Promise<() => void> {
  if (metrics === "off") return () => undefined;
  const [host = "", port = ""] = metrics.split(/:(?=\d+$)/);
  const server = createServer((request, response) => {
    const answer = request.method === "GET" ? answers[request.url ?? ""] : undefined;
    if (answer === undefined) response.writeHead(404).end();
    else
      answer().then(
        ({ headers, text }) => response.writeHead(200, headers).end(text),
        (error: unknown) => response.writeHead(503).end(`${explained(error)}\n`),
      );
  });
  try {
    await once(server.listen(Number(port), host), "listening");
    console.log(`metrics at http://${host}:${(server.address() as AddressInfo).port}/metrics`);
  } catch (error) {
    console.error(`metrics: ${explained(error)}: FLEET_METRICS names another address`);
  }
  return () => server.close();
}
