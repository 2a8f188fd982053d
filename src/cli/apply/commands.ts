/** The commands of one run. Those that change the stack are in the record before they start. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { tried } from "../../values.js";
import { queryPulumi, runPulumi, stackProblemIn, stackProblemText, type Finished } from "../engine/cli.js";
import { readStackState, type StackState } from "../engine/state.js";
import { failureOf } from "../engine/failure.js";
import type { Journals } from "./journal.js";
import { idOf } from "../engine/processes.js";
import type { RunFacts } from "./options.js";
import type { RunningRecord } from "./record.js";

/** Of the state after an update. */
const maxExports = 4;

/**
 * On Pulumi Cloud, each step waits until its entries are stored, so the time of an update is that wait divided by the steps at once. The
 * engine's own number is four for each core. The client opens no more connections for it.
 */
const cloudParallel = "128";

interface Watched {
  /** The file of the request log. */
  readonly log: string | undefined;
  readonly onStart?: (pid: number) => Promise<void>;
}

/** Absent where the sources run. */
const preload = join(__dirname, "../../provider/dynamic/preload.js");

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

  /**
   * Like {@link exported}, and compares the stack's outputs with the secrets, if they can be decrypted.
   *
   * @param isFirst whether nothing was sent yet. A later one says what was, and is not interrupted
   */
  async compared(isFirst: boolean): Promise<StackState> {
    const state = await this.exported(isFirst);
    if (state.staleOutputs !== undefined) return state;
    return this.exported(isFirst, ["--show-secrets"]).catch(() => state);
  }

  /** After an update, a server that cannot answer for a moment must not hide what was saved. */
  async exported(isFirst = false, flags: readonly string[] = []): Promise<StackState> {
    const { signal, forceSignal, wait, record, project, env } = this.#facts;
    for (let tries = isFirst ? maxExports : 1; ; tries++) {
      const finished = await this.#pulumi(["stack", "export", ...flags], isFirst, { log: undefined });
      if (finished.code === 0) return readStackState(finished.stdout);
      const problem = isFirst && record === undefined ? stackProblemIn(finished.stderr) : undefined;
      if (problem !== undefined)
        throw new Error(
          await stackProblemText(problem, project.stack, {
            pulumi: queryPulumi({ ...env }),
            folder: project.folder,
            env,
          }),
        );
      if (tries >= maxExports || forceSignal?.aborted === true) {
        throw new Error(signal?.aborted === true ? "interrupted" : failureOf(finished, [], this.#facts));
      }
      await wait(tries * 1000);
    }
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
    const log = this.#journals.begin(basename(this.#facts.files));
    await this.#record.begin(this.resend);
    const finished = await this.#pulumi(args, true, { log, onStart: (pid) => this.#noteStarted(pid) });
    if (finished.code !== null) this.#record.noteEnded();
    return finished;
  }

  #pulumi(args: readonly string[], isInterruptible: boolean, { log, onStart }: Watched) {
    const { project, cloud, env, files, signal, forceSignal } = this.#facts;
    return runPulumi([...args, "--stack", project.stack], {
      folder: project.folder,
      env: {
        PULUMI_SKIP_UPDATE_CHECK: "1",
        ...(cloud && { PULUMI_PARALLEL: cloudParallel }),
        ...env,
        // The preview before an update as events, which have the policies.
        PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "1",
        VOICEPLANE_REQUEST_LOG: log,
        VOICEPLANE_RESEND_SETTINGS: this.resend,
        ...(existsSync(preload) && {
          NODE_OPTIONS: [env.NODE_OPTIONS, `--require=${JSON.stringify(preload)}`].join(" ").trim(),
        }),
      },
      files,
      force: forceSignal,
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
