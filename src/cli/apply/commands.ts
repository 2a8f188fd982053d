/** The commands of one run, and what they say. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tried } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import { queryPulumi, runPulumi, stackProblemIn, stackProblemText, type Finished } from "../engine/cli.js";
import { failureOf, keepLog } from "../engine/failure.js";
import type { StaleOutput } from "../engine/outputs.js";
import { readPreviewOrUpdate } from "../engine/preview-or-update.js";
import type { StackProject } from "../engine/project.js";
import { readStackState, type StackState } from "../engine/state.js";
import { describe, failuresIn, type Report } from "../report/describe.js";
import type { ApplyOptions } from "./options.js";

/** Of the state after an update. */
const maxExports = 4;

/**
 * On Pulumi Cloud, each step waits until its entries are stored, so the time of an update is that wait divided by the steps at once. The
 * engine's own number is four for each core. The client opens no more connections for it.
 */
const cloudParallel = "128";

/** Absent where the sources run. */
const preload = join(__dirname, "../../provider/dynamic/preload.js");

interface CommandFacts extends Pick<ApplyOptions, "policyPacks" | "policyPackConfigs" | "signal" | "forceSignal"> {
  readonly project: StackProject;
  readonly env: Environment;
  /** Whether the stack is on Pulumi Cloud. */
  readonly isCloud: boolean;
  /** A new private folder. */
  readonly files: string;
  /** What no message may repeat. */
  readonly secrets: readonly string[];
  /** What the last run left; undefined if it left nothing. */
  readonly record: object | undefined;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** How a command that sends requests is watched. */
export interface Watch {
  /** The file of the request log. */
  readonly log: string | undefined;
  /** With this mark, the provider sends each setting again. */
  readonly resend: string | undefined;
  readonly onStart?: (pid: number) => Promise<void>;
}

/** A preview or an update. */
export interface Described {
  readonly finished: Finished;
  /** Undefined if it ended before its first event. */
  readonly report: Report | undefined;
}

export class Commands {
  readonly #facts: CommandFacts;

  constructor(facts: CommandFacts) {
    this.#facts = facts;
  }

  get #isInterrupted(): boolean {
    return this.#facts.signal?.aborted === true;
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
    const { forceSignal, wait, record, project, env } = this.#facts;
    for (let tries = isFirst ? maxExports : 1; ; tries++) {
      const finished = await this.#pulumi(["stack", "export", ...flags], undefined, isFirst);
      if (finished.code === 0) return readStackState(finished.stdout);
      const problem = isFirst && record === undefined ? stackProblemIn(finished.stderr) : undefined;
      if (problem !== undefined) {
        const place = { pulumi: queryPulumi(env), folder: project.folder, env };
        throw new Error(await stackProblemText(problem, project.stack, place));
      }
      if (tries >= maxExports || forceSignal?.aborted === true) {
        throw new Error(this.#isInterrupted ? "interrupted" : failureOf(finished, [], this.#facts));
      }
      await wait(tries * 1000);
    }
  }

  /**
   * Changes nothing, so neither the record nor the journal has it.
   *
   * @param staleOutputs those that an update would register again
   */
  async preview(resend: string | undefined, staleOutputs: readonly StaleOutput[]): Promise<Described> {
    const args = ["preview", "--json", "--show-sames", ...this.#policies()];
    const finished = await this.#pulumi(args, { log: this.#facts.env.VOICEPLANE_REQUEST_LOG, resend });
    return this.#described(finished, staleOutputs);
  }

  /** @param hasPreview whether the CLI previews first, in the same command */
  async up(hasPreview: boolean, watch: Watch): Promise<Described> {
    // Also against the CLI's own variable.
    const args = ["up", "--yes", "--json", `--skip-preview=${String(!hasPreview)}`, ...this.#policies()];
    return this.#described(await this.#pulumi(args, watch));
  }

  /** Removes every lock of the stack. */
  async cancel(watch: Watch): Promise<Pick<Described, "finished">> {
    return { finished: await this.#pulumi(["cancel", "--yes"], watch) };
  }

  /**
   * The flag clears them all, whatever the target. A refresh of the stack itself reads nothing, so it drops no object that the server does
   * not list.
   *
   * @param stack its URN
   */
  async clearPendingCreates(stack: string, watch: Watch): Promise<Pick<Described, "finished">> {
    const args = ["refresh", "--yes", "--skip-preview", "--clear-pending-creates", "--target", stack];
    return { finished: await this.#pulumi(args, watch) };
  }

  /**
   * Why a preview or an update failed, in one line.
   *
   * @param ifUnread for a command that ended well, and whose events say nothing
   */
  failure({ finished, report }: Described, ifUnread?: string): string {
    if (this.#isInterrupted) return "interrupted";
    const failures = failuresIn(report);
    if (ifUnread !== undefined && finished.code === 0 && failures.length === 0) return ifUnread;
    return failureOf(finished, failures, this.#facts);
  }

  /** @returns the file with the output; null if it could not be written */
  keepLog({ finished }: Described): string | null {
    return keepLog(finished, this.#facts);
  }

  #policies(): string[] {
    const { policyPacks = [], policyPackConfigs = [] } = this.#facts;
    return [
      ...policyPacks.flatMap((pack) => ["--policy-pack", pack]),
      ...policyPackConfigs.flatMap((config) => ["--policy-pack-config", config]),
    ];
  }

  async #described(finished: Finished, staleOutputs: readonly StaleOutput[] = []): Promise<Described> {
    const run = tried(() => readPreviewOrUpdate(finished.stdout));
    const report = run && (await describe(run, { secrets: this.#facts.secrets, staleOutputs }));
    return { finished, report };
  }

  #pulumi(args: readonly string[], watch: Watch | undefined, isInterruptible = true): Promise<Finished> {
    const { project, isCloud, env, files, signal, forceSignal } = this.#facts;
    return runPulumi([...args, "--stack", project.stack], {
      folder: project.folder,
      env: {
        PULUMI_SKIP_UPDATE_CHECK: "1",
        ...(isCloud && { PULUMI_PARALLEL: cloudParallel }),
        ...env,
        // The preview before an update as events, which have the policies.
        PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "1",
        VOICEPLANE_REQUEST_LOG: watch?.log,
        VOICEPLANE_RESEND_SETTINGS: watch?.resend,
        ...(existsSync(preload) && {
          NODE_OPTIONS: [env.NODE_OPTIONS, `--require=${JSON.stringify(preload)}`].join(" ").trim(),
        }),
      },
      files,
      force: forceSignal,
      signals: (isInterruptible ? [signal, forceSignal] : []).filter((each) => each !== undefined),
      ...(watch?.onStart && { onStart: watch.onStart }),
    });
  }
}
