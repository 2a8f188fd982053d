/**
 * Nights of many organizations with the real engine, and workers that die. `npm run test:fleet` runs it with more of
 * both.
 */
import { ids } from "../../support/engine/organization";
import { asSuperuser } from "../../support/fleet/database";
import { kill, newFleet, rotationsOf, type Fleet, type Worker } from "../../support/fleet/fleet";
import { measuring } from "./usage";
import { until } from "../../support/processes";

const count = Number(process.env.FLEET_TEST_ORGANIZATIONS ?? 7);
const kills = Number(process.env.FLEET_TEST_KILLS ?? 3);
jest.setTimeout(600_000 + count * 60_000);

const names = Array.from({ length: count }, (_, index) => `customer-${String(index + 1).padStart(3, "0")}`);
/** Of every second one, the worker alone is killed; of the others, the engine too. */
const victims = names.slice(0, kills);
const [lasting, killed] = victims;
/** The disk of its state is full. */
const full = names.at(-3) ?? "";
/** The role has no right to its rows of state. */
const refused = names.at(-4) ?? "";
/** Their secrets are due 60 days before those of the others. */
const early = names.slice(-2);

const fileOf = (name: string): string => `retention:
  recordings: { days: 90 }
trunks:
  carrier: { id: ${ids.carrierA}, outboundAuth: cleared }
webhooks:
  crm: { id: ${ids.crm}, onCreate: rotate, rotateAfter: ${early.includes(name) ? 30 : 90}d }
`;

/** Long enough to kill a worker meanwhile. */
const slow = { operation: "rotateWebhookSecret", latencyMs: 4_000, count: 1 } as const;
/** Keeps the engine busy until its organization's job has gone to another worker. */
const silent = { operation: "putRetentionPolicy", connection: "hang", count: 2 } as const;
/** Rotates the secret, and never answers. */
const unanswered = { operation: "rotateWebhookSecret", connection: "hang", commit: true, count: 1 } as const;

const isSpared = (victim: string): boolean => victims.indexOf(victim) % 2 === 0;

/** By organization: how often the server has rotated its secret, and how often by the state. */
async function rotations(fleet: Fleet): Promise<Record<string, readonly number[]>> {
  const entries = names.map(
    async (name) => [name, [rotationsOf(fleet.plane(name)), await fleet.rotations(name)]] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Kills the worker of an organization in mid-rotation, or it and its engine, and starts another worker.
 *
 * @returns the engine's process id
 */
async function killWorkerOf(fleet: Fleet, name: string, workers: Set<Worker>): Promise<number> {
  const { control } = fleet.plane(name);
  await until(() => !control.faults().some(({ operation }) => operation === "rotateWebhookSecret"));
  const cli = fleet.cli(name);
  const worker = [...workers].find(({ pid }) => pid === cli?.parent);
  if (!cli || !worker) throw new Error(`no worker runs ${name}`);
  if (!isSpared(name)) kill(cli.pid);
  await worker.kill("SIGKILL");
  workers.delete(worker);
  workers.add(await fleet.worker());
  return cli.pid;
}

test(`${count} organizations, two workers and ${kills} kills: each converges, each rotation is accounted for, the second night starts no process, and a due date runs exactly the due ones`, async () => {
  const fleet = await newFleet({ FLEET_RETRIES: "5" });
  const usage = measuring(fleet);
  for (const name of names) await fleet.declare(name, fileOf(name));
  await fleet.declare("wrong", "retention:\n  recordings: { dayz: 90 }\n");
  await fleet.prepare([...names, "wrong"]);
  const superuser = (sql: string) => asSuperuser(fleet.database.PGDATABASE ?? "", (client) => client.query(sql));
  await superuser(`
    create function no_room() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
    create trigger no_room before insert or update on pulumi_state for each row
      when (new.key like '%/stacks/fleet/${full}.json%') execute function no_room();
    alter table pulumi_state enable row level security;
    alter table pulumi_state force row level security;
    create policy others on pulumi_state using (true) with check (key not like '%/fleet/${refused}%')`);
  for (const name of victims) fleet.plane(name).control.setFaults([isSpared(name) ? slow : unanswered]);
  if (lasting) fleet.plane(lasting).control.setFaults([slow, silent]);

  // First a few, so that the jobs of dead workers find a free one at once.
  const workers = new Set([await fleet.worker(), await fleet.worker()]);
  const few = fleet.night(...victims.slice(0, 2), full, refused, "wrong");
  const engine = lasting && (await killWorkerOf(fleet, lasting, workers));
  if (killed) await killWorkerOf(fleet, killed, workers);
  await until(async () => (await fleet.rows())[full]?.state === "retrying");
  expect((await fleet.rows())[full]?.reason).toContain("No space left on device");
  await until(async () => (await fleet.rows())[refused]?.state === "retrying");
  expect((await fleet.rows())[refused]?.reason).toContain("violates row-level security policy");
  await superuser("drop function no_room cascade; alter table pulumi_state disable row level security");
  if (lasting) {
    await until(async () => (await fleet.rows())[lasting]?.state === "deferred");
    expect((await fleet.rows())[lasting]?.reason).toContain(`pid ${String(engine)}`);
  }
  expect((await few).code).toBe(1);
  const special = await fleet.rows();
  expect(special.wrong).toMatchObject({ outcome: "failed", requests: 0 });
  expect(special.wrong?.reason).toContain("organizations/wrong.yaml:2:15 retention.recordings.days: is missing");
  expect(special.wrong?.reason).not.toContain("\n");
  for (const name of [full, refused])
    expect(special[name]).toMatchObject({ outcome: "applied", rotations: 1, notes: [] });
  // The engine that outlived its worker has rotated the secret. The next run changes nothing, and says so.
  const earlier = expect.stringMatching(
    /^crm was rotated at \S+Z, by an earlier run that could not note it$/,
  ) as string;
  if (lasting) expect(special[lasting]).toMatchObject({ outcome: "unchanged", rotations: 1, notes: [earlier] });
  if (killed) {
    expect(special[killed]?.notes).toEqual([
      "crm was rotated again (an earlier run died while rotating it)",
      expect.stringMatching(/^removed a stale lock \(.*: process \d+ of this machine is gone\)$/),
    ]);
  }

  // The page tells a person of both.
  const watcher = await fleet.worker({ FLEET_METRICS: "127.0.0.1:0" });
  const page = await (await fetch(/metrics at (http:\S+)metrics/.exec(watcher.output())?.[1] ?? "")).text();
  await watcher.kill("SIGTERM");
  expect(page).toContain("retention.recordings.days: is missing");
  if (killed) expect(page).toContain("crm was rotated again (an earlier run died while rotating it)");

  // The lock of the engine that outlived its worker was left alone.
  const cancelled = fleet.calls().flatMap((call) => /^cancel .*--stack (\S+)/.exec(call)?.[1] ?? []);
  expect(cancelled).toEqual(killed ? [killed] : []);

  await usage.begin("create", count - Object.keys(special).length + 1);
  const all = fleet.night(...names);
  for (const victim of victims.slice(2)) await killWorkerOf(fleet, victim, workers);
  const { output } = await all;
  await usage.end();
  const rows = await fleet.rows();
  const succeeded = names.filter((name) => ["applied", "unchanged", "skipped"].includes(rows[name]?.outcome ?? ""));
  expect(succeeded).toEqual(names);
  expect(output).toContain(`total: ${count} organizations`);

  // An engine that outlives its worker rotates once. After the death of both, at most one rotation more, and it is named.
  const accounted = await rotations(fleet);
  for (const name of names) {
    const again = [...(special[name]?.notes ?? []), ...(rows[name]?.notes ?? [])].filter((note) =>
      note.startsWith("crm was rotated again"),
    );
    expect([name, accounted[name], again.length]).toEqual([name, [1 + again.length, 1], again.length]);
    expect([name, again.length]).toEqual([name, victims.includes(name) && !isSpared(name) ? 1 : 0]);
  }
  await converged(fleet);

  fleet.calls();
  for (const plane of fleet.planes.values()) plane.forgetRequests();
  await usage.begin("skip", count);
  const second = await fleet.night(...names);
  await usage.end();
  expect(second.code).toBe(0);
  expect(second.output).toContain(
    `total: ${count} organizations, ${count} skipped, 0 requests, 0 rotations, 0 uncertain, next due`,
  );
  expect(fleet.calls()).toEqual([]);
  expect(names.flatMap((name) => fleet.plane(name).requests())).toEqual([]);

  fleet.setDays(31);
  const due = await fleet.night(...names);
  expect(due.output).toContain(
    `total: ${count} organizations, 2 applied, ${count - 2} skipped, 4 requests, 2 rotations`,
  );
  const ran = fleet.calls().filter((call) => call.startsWith("up "));
  expect(ran.map((call) => /--stack (\S+)/.exec(call)?.[1]).sort()).toEqual(early);
  const sent = names.flatMap((name) =>
    fleet
      .plane(name)
      .requests()
      .map((request) => [name, request]),
  );
  // The server's clock counts too, so it is asked first.
  expect(sent).toEqual(
    early.flatMap((name) => [
      [name, "GET /v1/webhooks/"],
      [name, `POST /v1/webhooks/${ids.crm}/rotate-secret`],
    ]),
  );
  const increased = await rotations(fleet);
  for (const name of names) {
    const [server = 0, state = 0] = accounted[name] ?? [];
    const more = early.includes(name) ? 1 : 0;
    expect([name, increased[name]]).toEqual([name, [server + more, state + more]]);
  }
  await converged(fleet);

  if (!usage.isReporting) return;
  for (const worker of workers) await worker.kill("SIGTERM");
  // A full pass: nothing has changed, and nothing is skipped.
  for (let place = 0; place < 2; place += 1) await fleet.worker({ FLEET_FULL_PASS_DAYS: "0.000001" });
  await usage.begin("no-op", count);
  expect((await fleet.night(...names)).output).toContain(`${count} unchanged`);
  await usage.end();
  usage.report();
});

test("a rotation whose answer is lost is sent once in each night until an answer arrives, and the rows name each one", async () => {
  const fleet = await newFleet({ FLEET_RETRIES: "3" });
  const { control } = await fleet.declare("acme", `webhooks:\n  crm: { id: ${ids.crm}, onCreate: rotate }\n`);
  await fleet.prepare(["acme"]);
  await fleet.worker();
  const sent = () => rotationsOf(fleet.plane("acme"));

  control.setFaults([{ operation: "rotateWebhookSecret", connection: "reset", commit: true, count: 99 }]);
  for (const nights of [1, 2]) {
    expect((await fleet.night()).code).toBe(1);
    expect((await fleet.rows()).acme).toMatchObject({ outcome: "failed", requests: 1, rotations: 0, uncertain: 1 });
    expect(sent()).toBe(nights);
  }

  control.setFaults([]);
  expect((await fleet.night()).code).toBe(0);
  expect(sent()).toBe(3);
  expect((await fleet.rows()).acme).toMatchObject({
    outcome: "applied",
    rotations: 1,
    uncertain: 0,
    notes: ["crm was rotated again (its last rotation may have been carried out)"],
  });
});

/** No lock, nothing pending, no process of the engine's. */
async function converged(fleet: Fleet): Promise<void> {
  expect(await fleet.locks()).toEqual([]);
  for (const name of names) expect([name, (await fleet.state(name)).pending_operations]).toEqual([name, []]);
  await until(() => !fleet.processes().some(({ command }) => command.startsWith("pulumi")));
}
