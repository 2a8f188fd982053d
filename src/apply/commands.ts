/** The commands of one run. Those that change the stack are in the record before they start. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Environment, tried } from "../values.js";
import { runPulumi, type Finished } from "../engine/cli.js";
import type { StackProject } from "../engine/project.js";
import type { FailOn } from "../report/risks.js";
import { readStackState, type StackState } from "../engine/state.js";
import { failureOf } from "../engine/failure.js";
import type { HostLock } from "./host-lock.js";
import type { ApplyOptions } from "./index.js";
import type { RunInputs } from "./inputs.js";
import type { Journals } from "./journal.js";
import { idOf, type Processes } from "../engine/processes.js";
import type { RecordStore, RunningRecord, RunRecord } from "./record.js";

type Options =
  | "policyPacks"
  | "policyPackConfigs"
  | "signal"
  | "forceSignal"
  | "cancelLocksAfterMs"
  | "skipCheckpoints"
  | "dryRun"
  | "reportFormat";

export interface RunFacts extends Pick<ApplyOptions, Options> {
  readonly project: StackProject;
  readonly env: Environment;
  /** What no message may repeat. */
  readonly secrets: readonly string[];
  readonly processes: Processes;
  readonly hostLock: HostLock;
  /** What the last run left. */
  readonly record: RunRecord | undefined;
  readonly store: RecordStore;
  /** As they were before the run. */
  readonly inputs: RunInputs;
  readonly readAll: () => RunInputs;
  readonly stateVersion: () => Promise<string | undefined>;
  readonly reason: string;
  readonly now: () => Date;
  readonly onProgress: (line: string) => void;
  readonly mayHavePolicies: boolean;
  /** Undefined if no update needs a preview. */
  readonly failOn: FailOn | undefined;
  /** A new private folder. */
  readonly files: string;
  /** The folder of the stack's journals. */
  readonly journalFolder: string;
}

interface Watched {
  /** The file of the request log. */
  readonly log: string | undefined;
  readonly onStart?: (pid: number) => Promise<void>;
}

/** Absent where the sources run. */
const preload = join(__dirname, "../provider/dynamic/preload.js");

export class Commands {
  /** With this mark, the provider sends each setting again. */
  resend: string | undefined;
  readonly #facts: RunFacts;
  readonly #record: RunningRecord;
  readonly #journals: Journals;

  constructor(facts: RunFacts, record: RunningRecord, journals: Journals) {
    this.#facts = facts;
    this.#record = record;
    this.#journals = journals;
    this.resend = facts.record?.resend;
  }

  /** A new mark. The state keeps the one with which a setting was sent. */
  mark(): string {
    return this.#facts.now().toISOString();
  }

  /** @param isFirst whether nothing was sent yet. A later one says what was, and is not interrupted. */
  async exported(isFirst = false): Promise<StackState> {
    const finished = await this.#pulumi(["stack", "export"], isFirst, { log: undefined });
    const isInterrupted = this.#facts.signal?.aborted === true;
    if (finished.code !== 0) throw new Error(isInterrupted ? "interrupted" : failureOf(finished, [], this.#facts));
    return readStackState(finished.stdout);
  }

  /** Changes nothing, so neither the record nor the journal has it. */
  preview(): Promise<Finished> {
    const args = ["preview", "--json", "--show-sames", ...this.#policies()];
    return this.#pulumi(args, true, { log: this.#facts.env.VOICEPLANE_REQUEST_LOG });
  }

  /** @param hasPreview whether the CLI previews first, in the same command */
  up(hasPreview: boolean): Promise<Finished> {
    // Also against the CLI's own variable.
    return this.change(["up", "--yes", "--json", `--skip-preview=${String(!hasPreview)}`, ...this.#policies()]);
  }

  #policies(): string[] {
    const { policyPacks = [], policyPackConfigs = [] } = this.#facts;
    return [
      ...policyPacks.flatMap((pack) => ["--policy-pack", pack]),
      ...policyPackConfigs.flatMap((config) => ["--policy-pack-config", config]),
    ];
  }

  async change(args: readonly string[]): Promise<Finished> {
    this.#journals.begin();
    // Without checkpoints, the state is saved only if the run ends.
    await this.#record.begin(this.#facts.skipCheckpoints === true ? this.mark() : this.resend);
    return this.#pulumi(args, true, { log: this.#journals.file, onStart: (pid) => this.#noteStarted(pid) });
  }

  #pulumi(args: readonly string[], isInterruptible: boolean, { log, onStart }: Watched) {
    const { project, env, files, signal, forceSignal, skipCheckpoints } = this.#facts;
    return runPulumi([...args, "--stack", project.stack], {
      folder: project.folder,
      env: {
        PULUMI_SKIP_UPDATE_CHECK: "1",
        ...env,
        // The preview before an update as events, which have the policies.
        PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "1",
        VOICEPLANE_REQUEST_LOG: log,
        VOICEPLANE_RESEND_SETTINGS: this.resend,
        ...(skipCheckpoints === true && { PULUMI_SKIP_CHECKPOINTS: "1" }),
        ...(existsSync(preload) && {
          NODE_OPTIONS: [env.NODE_OPTIONS, `--require=${JSON.stringify(preload)}`].join(" ").trim(),
        }),
      },
      files,
      signals: (isInterruptible ? [signal, forceSignal] : []).filter((each) => each !== undefined),
      ...(onStart && { onStart }),
    });
  }

  /** A CLI that runs is waited for, even if it cannot be noted. The end of the run is written too, and says so if that fails. */
  async #noteStarted(pid: number): Promise<void> {
    const { processes, hostLock } = this.#facts;
    const cli = idOf(processes, pid);
    tried(() => {
      hostLock.addOwner(cli);
    });
    await this.#record.noteStarted(cli).catch(() => undefined);
  }
}
