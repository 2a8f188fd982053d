/** What a fleet costs: CPU of its workers and all that they start, memory, time and rows (Linux only). */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Fleet } from "../../support/fleet/fleet";

export interface Usage {
  readonly isReporting: boolean;
  begin(phase: string, organizations: number): Promise<void>;
  end(): Promise<void>;
  /** Writes the figures into the file FLEET_TEST_REPORT. */
  report(): void;
}

interface Stored {
  /** Of Pulumi's table. */
  readonly rows: number;
  readonly bytes: number;
}

interface Figures extends Stored {
  readonly phase: string;
  readonly organizations: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** Of all processes together, at its highest. */
  readonly peakMegabytes: number;
}

const ticksPerSecond = 100;
const sampleMs = 200;

const storedSql = "select count(*) as rows, coalesce(sum(pg_column_size(data)), 0)::bigint as bytes from pulumi_state";

export function measuring(fleet: Fleet): Usage {
  const file = process.env.FLEET_TEST_REPORT;
  if (file === undefined) {
    const nothing = () => Promise.resolve();
    return { isReporting: false, begin: nothing, end: nothing, report: () => undefined };
  }

  const all: Figures[] = [];
  // A process takes its figures with it when it ends: its last sample counts.
  const own = new Map<string, number>();
  const withChildren = new Map<string, number>();
  const sum = (ticks: Map<string, number>): number => [...ticks.values()].reduce((a, b) => a + b, 0) / ticksPerSecond;
  let peak = 0;
  const sample = (): { own: number; withChildren: number } => {
    const processes = processesOf(fleet.folder);
    for (const process of processes) {
      own.set(process.id, process.ticks);
      if (process.command.includes("worker.ts")) withChildren.set(process.id, process.ticks + process.childTicks);
    }
    peak = Math.max(peak, processes.reduce((total, { kilobytes }) => total + kilobytes, 0) / 1024);
    return { own: sum(own), withChildren: sum(withChildren) };
  };
  const stored = async (): Promise<Stored> => {
    const [found] = await fleet.query<{ rows: number; bytes: string }>(storedSql);
    return { rows: Number(found?.rows), bytes: Number(found?.bytes) };
  };

  let phase = { name: "", organizations: 0, started: 0, cpu: sample(), stored: { rows: 0, bytes: 0 } };
  let timer: NodeJS.Timeout | undefined;
  return {
    isReporting: true,
    async begin(name, organizations) {
      const before = await stored();
      const cpu = sample();
      peak = 0;
      phase = { name, organizations, started: performance.now(), cpu, stored: before };
      timer = setInterval(sample, sampleMs);
    },
    async end() {
      clearInterval(timer);
      const cpu = sample();
      const wallSeconds = (performance.now() - phase.started) / 1000;
      // Both miss something: samples the end of each process, the other what nobody has waited for.
      const cpuSeconds = Math.max(cpu.own - phase.cpu.own, cpu.withChildren - phase.cpu.withChildren);
      const after = await stored();
      all.push({
        phase: phase.name,
        organizations: phase.organizations,
        wallSeconds,
        cpuSeconds,
        peakMegabytes: peak,
        rows: after.rows - phase.stored.rows,
        bytes: after.bytes - phase.stored.bytes,
      });
    },
    report() {
      writeFileSync(file, JSON.stringify(all));
    },
  };
}

interface Sample {
  readonly id: string;
  readonly command: string;
  /** CPU of the process alone. */
  readonly ticks: number;
  /** CPU of the processes that it has waited for. */
  readonly childTicks: number;
  readonly kilobytes: number;
}

function processesOf(folder: string): Sample[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        if (!readFileSync(`/proc/${entry}/environ`, "utf8").split("\0").includes(`HOME=${folder}`)) return [];
        const fields = readFileSync(`/proc/${entry}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
        return [
          {
            id: `${entry} ${fields[19] ?? ""}`,
            command: readFileSync(`/proc/${entry}/cmdline`, "utf8"),
            ticks: Number(fields[11]) + Number(fields[12]),
            childTicks: Number(fields[13]) + Number(fields[14]),
            kilobytes: Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${entry}/smaps_rollup`, "utf8"))?.[1]),
          },
        ];
      } catch {
        return []; // It has ended.
      }
    });
}
