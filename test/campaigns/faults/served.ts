/** A control plane as a process, `voiceplane serve` of the packed package, that can be killed and started again. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Counters, Fault, State } from "../../../src/control-plane/index";
import { Running } from "../../support/compiled";
import { installedPackage, temporaryFolder } from "../../support/engine/installation";

export interface Served {
  readonly url: string;
  state(): Promise<State>;
  counters(): Promise<Counters>;
  faults(): Promise<Fault[]>;
  setFaults(faults: readonly Fault[]): Promise<void>;
  /** As `kill -9` does: without a shutdown. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Starts again with the stored data, at the same address. */
  startAgain(): Promise<void>;
}

const running = new Set<Running>();

afterEach(async () => {
  for (const process of running) process.kill("SIGKILL");
  await Promise.all([...running].map(({ finished }) => finished));
  running.clear();
});

export async function served(): Promise<Served> {
  const file = join(temporaryFolder(), "control-plane.json");
  const start = (port: string): Running => {
    const entry = join(installedPackage(), "dist/cli/index.js");
    const args = [entry, "serve", "--port", port, "--file", file];
    const started = new Running(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] }));
    running.add(started);
    return started;
  };
  let server = start("0");
  const url = await server.url();
  const admin = async (name: string, init?: RequestInit): Promise<unknown> =>
    (await fetch(`${url}/_control/${name}`, init)).json();
  return {
    url,
    state: async () => (await admin("state")) as State,
    counters: async () => (await admin("counters")) as Counters,
    faults: async () => (await admin("faults")) as Fault[],
    async setFaults(faults) {
      await admin("faults", { method: "PUT", body: JSON.stringify(faults) });
    },
    async kill() {
      server.kill("SIGKILL");
      await server.finished;
      running.delete(server);
    },
    async startAgain() {
      server = start(new URL(url).port);
      await server.url();
    },
  };
}
