/**
 * One safe `up` of one organization: skips where nothing can have changed, survives its own death, and tidies up after the death
 * of an earlier run.
 *
 * @module pulumi-voiceplane/apply
 */
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { cleanText, redact } from "../client/redact.js";
import { describe, type Report } from "../cli/report/describe.js";
import { PreviewError, readPreview } from "../cli/report/read.js";
import { nextDueDate, readStackState, type StackState } from "../stack-state/index.js";
import { nameIn, openIn, pendingIn, resolvedCreates, rotatedAgain, type RotatedAgain } from "./aftermath.js";
import { withoutPassword, backendUrl } from "./backend.js";
import { messageOf } from "./errors.js";
import { secretsOf, type Environment } from "./environment.js";
import { privateFolder, removeRunFolder, runFolder } from "./files.js";
import { takeHostLock, type HostLock } from "./host-lock.js";
import { violationsIn } from "./violations.js";
import { readInputs, type Inputs } from "./inputs.js";
import { holderOf, locksIn, staleness, type LockFacts, type StackLock } from "./locks.js";
import { idOf, processesHere, type Processes } from "./processes.js";
import { readProject, type StackProject } from "./project.js";
import { parseRecord, recordFile, recordText, type RecordStore, type RunRecord } from "./record.js";
import { runPulumi, type Finished } from "./pulumi.js";
import { countRequests } from "./requests.js";
import { exitCodeFor, type ApplyResult, type Outcome } from "./result.js";
import { changedInputs, reasonToRun } from "./skip.js";

export { recordFile, type ApplyResult, type Outcome, type RecordStore, type RotatedAgain };

export interface ApplyOptions {
  /** The folder of Pulumi.yaml. */
  readonly folder: string;
  /** The stack's name. */
  readonly stack: string;
  /** The environment of the CLI, the program and the provider. Default: this process's. */
  readonly env?: Environment;
  /** Keeps what the last run left. Default: the file `.voiceplane/apply/<stack>.json` in the folder. */
  readonly record?: RecordStore;
  /**
   * A text that changes with each change of the stack's state, such as the hash of its checkpoint; undefined if it is not known.
   * Built in for `file://` backends. Others have none by default, and are not skipped.
   */
  readonly stateVersion?: () => Promise<string | undefined>;
  /** Default: true. */
  readonly skip?: boolean;
  /** Runs the stack at least once in so many days. Default: 7. */
  readonly fullPassAfterDays?: number;
  /** Takes a lock that is older than this for stale, ms. Default: only a lock of a process of this machine that is gone. */
  readonly cancelLocksAfterMs?: number;
  /** Files and folders that a program of your own reads, from the folder; with them such a stack can be skipped. */
  readonly inputs?: readonly string[];
  /** Folders of policy packs. */
  readonly policyPacks?: readonly string[];
  /** Their configuration files, in the same order. */
  readonly policyPackConfigs?: readonly string[];
  /** Aborting sends one SIGINT to the CLI, which then ends the calls under way. */
  readonly signal?: AbortSignal;
  /** Aborting sends another SIGINT, which stops the CLI at once. */
  readonly forceSignal?: AbortSignal;
  /** Gets each step as one line, for people. */
  readonly onProgress?: (line: string) => void;
  /** Default: the machine's clock. */
  readonly now?: () => Date;
  /** Default: the processes of this machine. */
  readonly processes?: Processes;
  /** The folder for locks and output, for this user alone. Default: one in the system's temporary folder. */
  readonly privateFolder?: string;
}

/** A part of a result; the rest has its values for a run that sent nothing. */
type Ending = Pick<ApplyResult, "outcome" | "reason"> & Partial<ApplyResult>;

const nothingDone = {
  outcome: "failed",
  reason: "",
  summary: "",
  risks: [],
  requests: 0,
  rotations: 0,
  uncertain: 0,
  nextDueDate: null,
  rotatedAgain: [],
  pending: [],
  staleLocks: [],
  log: null,
} satisfies Ending;

const defaultFullPassDays = 7;

/** Never rejects for what a run can end in: bad input and a failed run are results too. */
export async function apply(options: ApplyOptions): Promise<ApplyResult> {
  const startedAt = performance.now();
  const { stack, env = process.env } = options;
  const folder = resolve(options.folder);
  const found = readProject(folder, stack, env);
  const organization = "project" in found ? (found.project.account ?? found.project.stack) : stack;
  const ending =
    "project" in found
      ? await applied(found.project, { ...options, folder, env }).catch(failure(env))
      : { outcome: "failed" as const, reason: found.problems.join("; "), uncertain: null };
  const result: Omit<ApplyResult, "organization" | "stack" | "seconds" | "exitCode"> = { ...nothingDone, ...ending };
  const seconds = Math.round(performance.now() - startedAt) / 1000;
  return { organization, stack, ...result, seconds, exitCode: exitCodeFor(result.outcome, result.risks) };
}

const failure =
  (env: Environment) =>
  (error: unknown): Ending => {
    return {
      outcome: "failed",
      reason: cleanText(messageOf(error), secretsOf(env)) ?? "an error without a message",
      uncertain: null,
    };
  };

async function applied(project: StackProject, options: ApplyOptions & { readonly env: Environment }): Promise<Ending> {
  const {
    env,
    now = () => new Date(),
    fullPassAfterDays = defaultFullPassDays,
    onProgress = () => undefined,
  } = options;
  const recordPath = join(project.folder, ".voiceplane/apply", `${project.stack}.json`);
  const store = options.record ?? recordFile(recordPath);
  const stateVersion = options.stateVersion ?? (() => Promise.resolve(project.backend?.stateVersion()));
  const readAll = (): Inputs =>
    readInputs({
      project,
      env,
      declared: options.inputs,
      policyPacks: options.policyPacks ?? [],
      policyPackConfigs: options.policyPackConfigs ?? [],
      ignored: [store.path ?? recordPath],
    });

  const inputs = readAll();
  const record = parseRecord(await store.read());
  const skipFacts = { inputs, record, stateVersion: record && (await stateVersion()), now: now(), fullPassAfterDays };
  const due = reasonToRun(skipFacts);
  if (due === undefined && options.skip !== false) {
    const since = new Date(record?.at ?? 0).toISOString();
    return { outcome: "skipped", reason: `nothing changed since ${since}`, nextDueDate: record?.nextDueDate ?? null };
  }
  if (options.signal?.aborted === true)
    return { outcome: "failed", reason: "interrupted before the run", uncertain: null };
  const reason = due ?? "a run was asked for";
  onProgress(`runs ${project.stack}: ${reason}`);

  const processes = options.processes ?? processesHere();
  const base = options.privateFolder ?? privateFolder();
  const key = JSON.stringify([withoutPassword(backendUrl(project.document, env) ?? ""), project.name, project.stack]);
  const lockFile = join(base, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.lock`);
  const hostLock = takeHostLock(lockFile, processes);
  if ("heldBy" in hostLock) {
    return {
      outcome: "locked",
      reason: `another apply of this machine runs the stack (pid ${hostLock.heldBy})`,
      uncertain: null,
    };
  }
  try {
    const run = new Run(project, options, env, processes, runFolder(base), onProgress);
    return await run.all({ inputs, readAll, record, store, reason, stateVersion, now, hostLock });
  } finally {
    hostLock.release();
  }
}

interface RunFacts {
  readonly inputs: Inputs;
  readonly readAll: () => Inputs;
  readonly record: RunRecord | undefined;
  readonly store: RecordStore;
  readonly reason: string;
  readonly stateVersion: () => Promise<string | undefined>;
  readonly now: () => Date;
  readonly hostLock: HostLock;
}

/** What an export shows. */
interface Exported {
  readonly state: StackState;
  readonly urns: ReadonlySet<string>;
}

class Run {
  readonly #project: StackProject;
  readonly #options: ApplyOptions;
  readonly #env: Environment;
  readonly #processes: Processes;
  readonly #files: string;
  readonly #onProgress: (line: string) => void;
  readonly #staleLocks: string[] = [];
  /** As the engine read the configuration. */
  #organizationFile: string | undefined;

  constructor(
    project: StackProject,
    options: ApplyOptions,
    env: Environment,
    processes: Processes,
    files: string,
    onProgress: (line: string) => void,
  ) {
    this.#project = project;
    this.#options = options;
    this.#env = env;
    this.#processes = processes;
    this.#files = files;
    this.#onProgress = onProgress;
  }

  async all(facts: RunFacts): Promise<Ending> {
    let isKept = false;
    try {
      const ending = await this.#all(facts);
      isKept = ending.log !== undefined && ending.log !== null;
      return { ...ending, staleLocks: this.#staleLocks };
    } finally {
      if (!isKept) rmSync(this.#files, { recursive: true, force: true });
    }
  }

  async #all(facts: RunFacts): Promise<Ending> {
    const { record, store, inputs, stateVersion } = facts;
    const lockFacts: LockFacts = {
      processes: this.#processes,
      started: record?.run?.cli === undefined ? undefined : { host: record.run.host, cli: record.run.cli },
      limitMs: this.#options.cancelLocksAfterMs,
      now: Date.now(),
    };
    const holder = this.#removeStaleFiles(lockFacts);
    if (holder !== undefined)
      return { outcome: "locked", reason: `the stack is locked by ${holderOf(holder)}`, uncertain: null };

    // Only a record of a run that ended well says that nothing is pending.
    const isSettled =
      record !== undefined && !record.run && record.open === null && record.stateVersion === (await stateVersion());
    const before = isSettled && record.stateVersion !== undefined ? undefined : await this.#exported();
    if (record?.run?.host === this.#processes.host) removeRunFolder(dirname(this.#files), record.run.folder);

    const unfinished = (cli?: ReturnType<typeof idOf>): RunRecord => ({
      version: 1,
      inputs: {},
      at: facts.now().getTime(),
      open: "the last run did not end",
      nextDueDate: record?.nextDueDate ?? null,
      run: { host: this.#processes.host, folder: basename(this.#files), ...(cli && { cli }) },
    });
    const up = async () => {
      await store.write(recordText(unfinished()));
      return this.#pulumi(["up", "--yes", "--skip-preview", "--json", ...this.#policies()], async (pid) => {
        const cli = idOf(this.#processes, pid);
        facts.hostLock.share(cli);
        await store.write(recordText(unfinished(cli)));
      });
    };
    let finished = await up();
    let locks = finished.code === 0 ? undefined : locksIn(finished.stderr + finished.stdout);
    if (locks && (await this.#cancel(locks, { ...lockFacts, now: Date.now() }))) {
      finished = await up();
      locks = finished.code === 0 ? undefined : locksIn(finished.stderr + finished.stdout);
    }
    if (locks) {
      // Nothing was run: the record of the earlier run still holds.
      await store.write(recordText(record ?? { ...unfinished(), open: "the stack was locked" }));
      const [first] = locks;
      return {
        outcome: "locked",
        reason: `the stack is locked by ${first ? holderOf(first) : "another run"}`,
        uncertain: null,
      };
    }

    const version = await stateVersion();
    const report = await this.#report(finished);
    const requestLog = () => countRequests(join(this.#files, "requests"));
    if (finished.code !== 0 || !report?.complete) {
      const after = await this.#exported().catch(() => undefined);
      const kept = await written(store, { ...unfinished(), open: "the last run failed", run: undefined });
      return {
        outcome: "failed",
        reason: this.#failure(finished, report) + kept,
        ...(report && { summary: report.summary, risks: report.risks }),
        ...requestLog(),
        uncertain: after ? uncertainIn(after.state) : null,
        nextDueDate: after ? (nextDueDate(after.state) ?? null) : null,
        rotatedAgain: after ? rotatedAgain(before?.state, after.state) : [],
        pending: after ? pendingIn(after.state) : [],
        log: this.#keepLog(finished),
      };
    }
    return this.#ended(facts, {
      before,
      report,
      version,
      changedInRun: changedInputs(inputs.digests, facts.readAll().digests),
    });
  }

  async #ended(
    { inputs, store, reason, stateVersion, now }: RunFacts,
    run: { before: Exported | undefined; report: Report; version: string | undefined; changedInRun: readonly string[] },
  ): Promise<Ending> {
    const { before, report } = run;
    let after = await this.#exported();
    let version = (await stateVersion()) === run.version ? run.version : undefined;
    const resolved = resolvedCreates(after.state, after.urns);
    if (resolved.length > 0) {
      this.#onProgress(`clears pending creates whose resource exists: ${resolved.map(nameIn).join(", ")}`);
      const targets = resolved.flatMap((urn) => ["--target", urn]);
      const refresh = ["refresh", "--yes", "--skip-preview", "--clear-pending-creates", ...targets];
      await this.#pulumi(refresh);
      version = await stateVersion();
      after = await this.#exported();
      if ((await stateVersion()) !== version) version = undefined;
    }
    const open =
      openIn(after.state) ??
      this.#otherFile() ??
      (run.changedInRun.length > 0 ? `changed during the last run: ${run.changedInRun.join(", ")}` : null);
    const due = nextDueDate(after.state) ?? null;
    const kept = await written(store, {
      version: 1,
      inputs: inputs.digests,
      ...(version !== undefined && { stateVersion: version }),
      at: now().getTime(),
      open,
      nextDueDate: due,
    });
    return {
      outcome: report.changeCount > 0 ? "applied" : "unchanged",
      reason: reason + kept,
      summary: report.summary,
      risks: report.risks,
      ...countRequests(join(this.#files, "requests")),
      uncertain: uncertainIn(after.state),
      nextDueDate: due,
      rotatedAgain: rotatedAgain(before?.state, after.state),
      pending: pendingIn(after.state),
    };
  }

  /** @returns a lock that is not stale, if there is one */
  #removeStaleFiles(facts: LockFacts): StackLock | undefined {
    const { backend } = this.#project;
    const locks = backend?.locks() ?? [];
    const live = locks.find((lock) => staleness(lock, facts) === undefined);
    if (live) return live;
    for (const lock of locks) {
      backend?.removeLock(lock);
      this.#tellStale(lock, facts);
    }
    return undefined;
  }

  /** `pulumi cancel` removes every lock of the stack, so each must be stale. */
  async #cancel(locks: readonly StackLock[], facts: LockFacts): Promise<boolean> {
    if (locks.length === 0 || locks.some((lock) => staleness(lock, facts) === undefined)) return false;
    const { code } = await this.#pulumi(["cancel", "--yes"]);
    if (code !== 0) return false;
    for (const lock of locks) this.#tellStale(lock, facts);
    return true;
  }

  #tellStale(lock: StackLock, facts: LockFacts): void {
    const line = `${holderOf(lock)}: ${staleness(lock, facts) ?? ""}`;
    this.#staleLocks.push(line);
    this.#onProgress(`removed a stale lock, of ${line}`);
  }

  async #exported(): Promise<Exported> {
    const finished = await this.#pulumi(["stack", "export"]);
    if (finished.code !== 0) throw new Error(this.#failure(finished, undefined));
    const { deployment } = JSON.parse(finished.stdout) as {
      deployment?: { resources?: { urn: string; delete?: boolean }[] };
    };
    const urns = (deployment?.resources ?? []).filter((resource) => resource.delete !== true).map(({ urn }) => urn);
    return { state: readStackState(finished.stdout), urns: new Set(urns) };
  }

  #pulumi(args: readonly string[], onStart?: (pid: number) => Promise<void>): Promise<Finished> {
    const { signal, forceSignal } = this.#options;
    const signals = [signal, forceSignal].filter((each) => each !== undefined);
    const env = {
      PULUMI_SKIP_UPDATE_CHECK: "1",
      ...this.#env,
      VOICEPLANE_REQUEST_LOG: join(this.#files, "requests"),
    };
    // A command that only reads ends by itself.
    const isRun = ["up", "refresh"].includes(args[0] ?? "");
    return runPulumi([...args, "--stack", this.#project.stack], {
      folder: this.#project.folder,
      env,
      files: this.#files,
      signals: isRun ? signals : [],
      ...(onStart && { onStart }),
    });
  }

  /** The engine reads YAML in its own way: if it found another organization file, this one's digest proves nothing. */
  #otherFile(): string | undefined {
    const { isOwnCode, organizationFile } = this.#project;
    const isSame = (this.#organizationFile ?? "organization.yaml") === organizationFile;
    return isOwnCode || isSame
      ? undefined
      : "the last run read another organization file than the configuration seems to name";
  }

  #policies(): string[] {
    const { policyPacks = [], policyPackConfigs = [] } = this.#options;
    return [
      ...policyPacks.flatMap((pack) => ["--policy-pack", pack]),
      ...policyPackConfigs.flatMap((config) => ["--policy-pack-config", config]),
    ];
  }

  /** Undefined if the run failed before its first event. */
  async #report({ stdout }: Finished): Promise<Report | undefined> {
    try {
      const preview = readPreview(stdout);
      this.#organizationFile = preview.organizationFile;
      return await describe(preview, { secrets: secretsOf(this.#env) });
    } catch (error) {
      if (error instanceof PreviewError) return undefined;
      throw error;
    }
  }

  #failure({ code, stdout, stderr }: Finished, report: Report | undefined): string {
    if (this.#options.signal?.aborted === true) return "interrupted";
    const lines = stderr.split("\n").filter((line) => line.trim() !== "");
    const error = lines.find((line) => line.startsWith("error:"))?.replace(/^error: /, "") ?? lines[0];
    const facts = [...violationsIn(stdout), ...(report?.errors ?? [])];
    const line = facts.length > 0 ? facts.join("; ") : error;
    return cleanText(line, secretsOf(this.#env), 1000) ?? `pulumi ended with exit code ${String(code)}`;
  }

  /** Debug messages of Pulumi's SDK hold secrets in clear. */
  #keepLog({ stdout, stderr }: Finished): string {
    const path = join(this.#files, "log");
    const events = stdout.split("\n").filter((line) => !line.includes('"severity":"debug"'));
    writeFileSync(path, redact([stderr, ...events].join("\n"), secretsOf(this.#env)), { mode: 0o600 });
    return path;
  }
}

/** The record of a run that has ended. What it did must be told also if the store is gone: the record of its start stays. */
async function written(store: RecordStore, record: RunRecord): Promise<string> {
  try {
    await store.write(recordText(record));
    return "";
  } catch (error) {
    return `; the record could not be written (${cleanText(messageOf(error), []) ?? "unknown"})`;
  }
}

const uncertainIn = ({ objects }: StackState): number => objects.filter(({ uncertain }) => uncertain).length;
