/** A server that speaks Pulumi Cloud's protocol to the CLI (tools/engine/cloud), and what tests see and change of it. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { hasProc, testOnLinux } from "../machine";
import { get, testWith } from "../programs";

const program = get("tools/engine/program.mjs", "cloud");

/** A test on this backend. It is skipped where Go is missing, which builds the server. */
export const testOnHttp = (title: string, run: jest.ProvidesCallback): void => {
  testWith(program, title, run);
};

/** A test on this backend that kills processes, which it finds in /proc. */
export const testProcessesOnHttp = hasProc ? testOnHttp : testOnLinux;

interface HttpUpdate {
  readonly id: string;
  readonly kind: string;
  readonly dryRun: boolean;
  readonly status: "not started" | "running" | "succeeded" | "failed";
}

export interface HttpStack {
  readonly stack: { readonly version: number };
  /** As it is stored, with the steps of an update that runs or has died. */
  readonly deployment: unknown;
  /** The same with its secrets. */
  readonly inClear: unknown;
  /** In the order of their creation, previews included. */
  readonly updates: readonly HttpUpdate[];
}

export interface HttpBackend {
  /** The user of the token, whose stacks are found by their short names. */
  readonly owner: string;
  /** All that a user sets. The passphrase of the other tests is removed, as the service keeps the key. */
  readonly env: NodeJS.ProcessEnv;
  /** By their full names, such as "tester/test/dev". A synchronous request. */
  stacks(): Readonly<Record<string, HttpStack>>;
  /** Ends the lease of a stack's update now. */
  expireLease(stack: string): Promise<void>;
}

const token = "pul-0123456789abcdef0123456789abcdef01234567";

const open = new Set<ChildProcess>();

afterAll(() => {
  for (const child of open) child.kill("SIGKILL");
});

export async function httpBackend(): Promise<HttpBackend> {
  // It ends when its stdin does, also if this process is killed.
  const child = spawn(program.file, [token], { stdio: ["pipe", "pipe", "inherit"] });
  open.add(child);
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  return {
    owner: "tester",
    env: { PULUMI_BACKEND_URL: url, PULUMI_ACCESS_TOKEN: token, PULUMI_CONFIG_PASSPHRASE: undefined },
    stacks: () => {
      const args = ["-e", getScript, `${url}/_test/stacks`];
      const answer = execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1 << 28 });
      return JSON.parse(answer) as Record<string, HttpStack>;
    },
    expireLease: async (stack) => {
      const { ok, status } = await fetch(`${url}/_test/expire/${stack}`, { method: "POST" });
      if (!ok) throw new Error(`the server answers ${status}`);
    },
  };
}

/** Prints the answer to a GET. */
const getScript = `
require("node:http").get(process.argv[1], (answer) => {
  if (answer.statusCode !== 200) process.exitCode = 1;
  answer.pipe(process.stdout);
});`;
