/**
 * Nights under kills: whatever dies in whatever moment, each rotation that a server carried out is named by a row of a night. The servers
 * count. With more of all: `FLEET_TEST_NIGHTS=3 FLEET_TEST_ORGANIZATIONS=40 FLEET_TEST_KILLS=120 npx jest test/campaigns/fleet/kills`.
 */
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Fault } from "../../../src/control-plane/index";
import { ids } from "../../support/engine/organization";
import { kill, newFleet, rotationsOf, type Fleet, type Worker } from "../../support/fleet/fleet";
import { until } from "../../support/processes";

const count = Number(process.env.FLEET_TEST_ORGANIZATIONS ?? 5);
const nights = Number(process.env.FLEET_TEST_NIGHTS ?? 2);
const kills = Number(process.env.FLEET_TEST_KILLS ?? 10);
const places = 3;
jest.setTimeout(300_000 + nights * count * 60_000);

const names = Array.from({ length: count }, (_, index) => `customer-${String(index + 1).padStart(3, "0")}`);

const fileOf = (night: number): string => `retention:
  recordings: { days: 90 }
webhooks:
  crm: { id: ${ids.crm}, onCreate: rotate, triggers: { night: ${night} } }
`;

/** The same numbers in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const targets = {
  provider: /dynamic-provider/,
  pulumi: /^pulumi\0up\0.*/,
  "language host": /pulumi-language-/,
  worker: undefined,
  "worker and pulumi": /^pulumi\0up\0.*/,
} as const;
type Target = keyof typeof targets;

interface Named {
  /** Rotations by the rows, those of earlier runs included. */
  readonly rotations: number;
  /** Notes of rotations that were lost. */
  readonly again: number;
  /** Objects of which the row does not know what the server has; null if even that is not known. */
  readonly uncertain: number | null;
}

async function rowsOf(fleet: Fleet): Promise<Record<string, Named>> {
  const rows = await fleet.rows();
  return Object.fromEntries(
    Object.entries(rows).map(([name, { rotations, notes, uncertain }]) => {
      const again = notes.filter((note) => note.includes(" was rotated again ")).length;
      return [name, { rotations, again, uncertain }];
    }),
  );
}

test(`${count} organizations, ${nights} nights, ${kills} kills: each rotation that a server carried out is named`, async () => {
  const fleet = await newFleet({ FLEET_RETRIES: "20", FLEET_CANCEL_LOCKS_AFTER_MINUTES: "1" });
  const random = numbers(7);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  for (const name of names) await fleet.declare(name, fileOf(0));
  await fleet.prepare(names);
  const workers = new Set<Worker>();
  for (let place = 0; place < places; place++) workers.add(await fleet.worker());
  const killed = Object.fromEntries(Object.keys(targets).map((target) => [target, 0])) as Record<Target, number>;

  /** Kills one process of an organization's run, if it is there. */
  const killOne = async (name: string, target: Target): Promise<void> => {
    const cli = fleet.cli(name);
    if (cli === undefined) return;
    const below = (pid: number): number[] => {
      const children = fleet.processes().filter(({ parent }) => parent === pid);
      return [pid, ...children.flatMap((child) => below(child.pid))];
    };
    const own = new Set(below(cli.pid));
    const pattern = targets[target];
    const victim = fleet.processes().find(({ pid, command }) => own.has(pid) && pattern?.test(command));
    if (pattern && !victim) return;
    const worker = [...workers].find(({ pid }) => pid === cli.parent);
    if (target.startsWith("worker") && !worker) return;
    if (victim) kill(victim.pid);
    if (target.startsWith("worker") && worker) {
      await worker.kill("SIGKILL");
      workers.delete(worker);
      workers.add(await fleet.worker());
    }
    killed[target]++;
  };

  const arm = (name: string): void => {
    const faults: readonly Fault[] = [
      { operation: "rotateWebhookSecret", latencyMs: 2_500, count: 1 },
      { operation: "rotateWebhookSecret", connection: "hang", commit: true, count: 1 },
      { operation: "rotateWebhookSecret", connection: "hang", commit: false, count: 1 },
    ];
    const fault = pick(faults);
    if (fault) fleet.plane(name).control.setFaults([fault]);
  };

  const total = { carriedOut: 0, rotations: 0, again: 0, uncertain: 0, unsaid: 0 };
  for (let night = 1; night <= nights + 1; night++) {
    // The last one is quiet.
    const isQuiet = night > nights;
    for (const name of names) {
      fleet.write(`organizations/${name}.yaml`, fileOf(isQuiet ? nights : night));
      fleet.plane(name).control.setFaults([]);
      if (!isQuiet) arm(name);
    }
    const before = Object.fromEntries(names.map((name) => [name, rotationsOf(fleet.plane(name))]));
    const state = { isOver: false };
    const running = fleet.night(...names).finally(() => {
      state.isOver = true;
    });
    const wanted = (kills * night) / nights;
    const sum = () => Object.values(killed).reduce((one, other) => one + other, 0);
    /** Whose rotation a server has received and not answered. */
    const waiting = () => names.filter((name) => fleet.plane(name).control.faults().length === 0 && fleet.cli(name));
    while (!isQuiet && !state.isOver) {
      await until(() => state.isOver || waiting().length > 0);
      await setTimeout(random() * 1_000);
      const name = pick(waiting());
      const target = pick(Object.keys(targets) as Target[]);
      if (name === undefined || target === undefined) continue;
      if (sum() < wanted) await killOne(name, target);
      if (random() < 0.5 && sum() < wanted) arm(name);
      else await until(() => state.isOver || !waiting().includes(name));
    }
    const { output } = await running;
    const rows = await rowsOf(fleet);
    const line = { night, carriedOut: 0, rotations: 0, again: 0, uncertain: 0 };
    for (const name of names) {
      const row = rows[name] ?? { rotations: 0, again: 0, uncertain: null };
      const carriedOut = rotationsOf(fleet.plane(name)) - (before[name] ?? 0);
      expect([name, output]).toEqual([name, expect.stringContaining("total: ")]);
      line.carriedOut += carriedOut;
      line.rotations += row.rotations;
      line.again += row.again;
      line.uncertain += row.uncertain ?? 1;
    }
    report({ ...line, killed: { ...killed } });
    for (const key of ["carriedOut", "rotations", "again", "uncertain"] as const) total[key] += line[key];
  }

  expect(Object.values(killed).some((count) => count > 0)).toBe(true);
  // Each rotation is one of a row, or one that was lost, and is then named by the run that rotated once more.
  const history = await fleet.query<{ organization: string; rotations: number; again: number }>(
    `select organization, sum(rotations)::int as rotations, sum((select count(*) from jsonb_array_elements_text(notes) as note
       where note like '% was rotated again %'))::int as again from voiceplane_fleet.result group by organization`,
  );
  expect(history.map(({ organization }) => organization).sort()).toEqual([...names].sort());
  for (const { organization, rotations, again } of history) {
    const carriedOut = rotationsOf(fleet.plane(organization));
    total.unsaid += Math.max(0, carriedOut - rotations - again);
    const state = await fleet.state(organization);
    expect([organization, state.pending_operations]).toEqual([organization, []]);
  }
  report(total);
  const last = await fleet.rows();
  expect(names.filter((name) => !["applied", "unchanged", "skipped"].includes(last[name]?.outcome ?? ""))).toEqual([]);
  expect(names.filter((name) => last[name]?.uncertain !== 0)).toEqual([]);
  expect(total.unsaid).toBe(0);
  expect(await fleet.locks()).toEqual([]);
});

function report(line: object): void {
  const { FLEET_TEST_REPORT: file } = process.env;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}
