/** `voiceplane apply` in a project, on the package as packed. */
import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApplyResult } from "../../../src/cli/apply/index";
import type { Fault } from "../../../src/control-plane/index";
import { locksOf } from "../faults/aftermath";
import { ended, type Finished } from "../processes";
import { installedPackage } from "./installation";
import { ids } from "./organization";
import { project, type Project, type ProjectOptions } from "./project";

export interface Applied extends Omit<ApplyResult, "exitCode"> {
  readonly code: number | null;
}

export interface RunningApply {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
});

export interface Options {
  readonly stack?: string;
  readonly flags?: readonly string[];
  /** The time of all processes, ISO 8601. */
  readonly at?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Each run starts a minute after the one before it, as the record says when the last one ended. */
let minutes = 0;
const nextMinute = (): string => new Date(Date.UTC(2026, 10, 20, 12, minutes++)).toISOString();

/** From the machine's clock to that of a stack's last run, ms. */
const shifts = new WeakMap<Project, number>();

/** The locks that have the time of their run. */
const dated = new Set<string>();

/** The engine dates a lock by the machine's clock, which is that of `apply` everywhere else. */
export function dateLocks(stack: Project): void {
  for (const name of locksOf(stack)) {
    const file = join(stack.folder, ".state/.pulumi/locks", name);
    // On a server, a lock is no file.
    if (dated.has(file) || !existsSync(file)) continue;
    const lock = JSON.parse(readFileSync(file, "utf8")) as { readonly timestamp: string };
    const timestamp = new Date(Date.parse(lock.timestamp) + (shifts.get(stack) ?? 0)).toISOString();
    writeFileSync(file, JSON.stringify({ ...lock, timestamp }));
    dated.add(file);
  }
}

export function startApply(
  stack: Project,
  { stack: name = "dev", flags = [], at = nextMinute(), env = {} }: Options = {},
): RunningApply {
  stack.organization.control.setClock(at);
  dateLocks(stack);
  shifts.set(stack, Date.parse(at) - Date.now());
  const cli = join(installedPackage(), "dist/cli/index.js");
  const temporary = join(stack.folder, ".tmp");
  mkdirSync(temporary, { recursive: true });
  const revision = flags.includes("--revision") ? [] : ["--revision", commitOf(stack)];
  const child = spawn(process.execPath, [cli, "apply", "--stack", name, "--format", "json", ...revision, ...flags], {
    cwd: stack.folder,
    env: {
      ...stack.environment,
      TMPDIR: temporary,
      NODE_OPTIONS: `--require "${join(__dirname, "pin-clock.cjs")}"`,
      TEST_CLOCK: at,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const finished = ended(child).finally(() => running.delete(child));
  return { child, finished };
}

/** Stands for the commit of a pipeline: another one for each change of the project's files. */
function commitOf({ folder }: Project): string {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name } of files) if (!name.startsWith(".")) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 12);
}

export async function resultOf({ finished }: RunningApply): Promise<Applied> {
  const { code, stdout, stderr } = await finished;
  const lines = stdout.trim().split("\n");
  if (lines.length !== 1) throw new Error(`not one line: ${stdout}\n${stderr}`);
  expect(stdout + stderr).not.toContain("vp_dev_");
  return { ...(JSON.parse(lines[0] ?? "") as ApplyResult), code };
}

export const applied = async (stack: Project, options: Options = {}): Promise<Applied> =>
  resultOf(startApply(stack, options));

/** Without this run's own files, which are removed after success. */
export const leftFiles = (stack: Project): string[] =>
  readdirSync(join(stack.folder, ".tmp"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /voiceplane-apply-\d+\/./.test(name),
  );

export const webhook = (round: string, rest = "") =>
  `webhooks:\n  crm: { id: ${ids.crm}, onCreate: rotate, triggers: { round: "${round}" }${rest} }\n`;

export const organizationProject = (organizationFile: string, options: ProjectOptions = {}) =>
  project({
    ...options,
    files: {
      "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
      "organization.yaml": organizationFile,
    },
  });

/** Resolves when the server has received the rotation. */
export async function rotating(stack: Project, fault: Fault, options: Options = {}): Promise<RunningApply> {
  stack.organization.control.setFaults([fault]);
  const started = startApply(stack, options);
  await stack.until(() => stack.organization.control.faults().length === 0);
  return started;
}
