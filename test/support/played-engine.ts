/**
 * Plays the engine for one kind of resource: it calls the lifecycle in the engine's order, and stores the answers as
 * the engine does. A program is a map from resource names to arguments.
 */
import type { Code } from "../../src/values/codes";
import type { Api } from "../../src/client/api.js";
import type { ResourceState, Step } from "../../src/cli/pulumi/steps.js";
import { typeTokens } from "../../src/values/engine.js";
import type { Lifecycle } from "../../src/lifecycle/lifecycle.js";
import { worstRisks } from "../../src/lifecycle/effects/effect.js";
import { labelOf } from "../../src/lifecycle/effects/risk.js";
import { withOwnership } from "../../src/lifecycle/ownership.js";
import { resources } from "../../src/resources/index.js";
import { newRun, type Context } from "../../src/lifecycle/context.js";
import { LostAnswerError } from "../../src/lifecycle/lost-answer.js";
import type { Values } from "../../src/values/any.js";
import { diagnosticText, type Diagnostic } from "../../src/values/diagnostic.js";

/** What the engine stores of one resource. */
export interface Stored {
  inputs: Values;
  outputs: Values;
  initErrors: string[];
}

export type Program = Record<string, Values>;

interface Plan {
  readonly step: "create" | "update" | "replace" | "same";
  readonly inputs: Values;
  readonly stored?: Stored;
}

/** The names of resources that a run replaces. */
interface Replaced {
  /** As `--replace` and a taint do: without a diff. */
  readonly replace?: readonly string[];
  /** As `replaceOnChanges` does: where a diff finds a change. */
  readonly replaceOnChanges?: readonly string[];
}

/** The problems that check reports. They stop an `up` before anything is sent. */
export class Refused extends Error {
  constructor(problems: readonly Diagnostic[]) {
    super(problems.map(diagnosticText).join("\n"));
  }
}

interface EngineSettings {
  organization: string;
  /** Default: the organization is the address. */
  address?: string;
  api: Api;
  now: () => Date;
}

/** The codes of what requests do. */
const ofRequest: readonly Code[] = Object.values(resources).flatMap(({ lifecycle }) =>
  worstRisks(lifecycle).map(labelOf),
);

export class Engine {
  readonly #lifecycle: Lifecycle;
  readonly #states = new Map<string, Stored>();
  /** Replaced or renamed objects whose delete has not run yet, for example after an interruption. */
  #pendingDeletes: Stored[] = [];
  around: EngineSettings;
  #said: string[] = [];
  #risks: string[] = [];

  constructor(lifecycle: Lifecycle, around: EngineSettings) {
    this.#lifecycle = withOwnership(lifecycle);
    this.around = around;
  }

  /** The outputs of a resource. undefined if the engine has no resource of that name. */
  outputsOf(name: string): Values | undefined {
    return this.#states.get(name)?.outputs;
  }

  inputsOf(name: string): Values | undefined {
    return this.#states.get(name)?.inputs;
  }

  /** The messages that were logged since the last call, without those about risks. */
  said(): string[] {
    return this.#said.splice(0);
  }

  /** The warnings of what an update would do, since the last call. */
  risks(): string[] {
    return this.#risks.splice(0);
  }

  preview(program: Program): Record<string, Pick<Plan, "step">> {
    const ctx = this.context();
    const plans = Object.entries(program).map(([name, args]) => [name, { step: this.#plan(ctx, name, args).step }]);
    return Object.fromEntries(plans) as Record<string, Pick<Plan, "step">>;
  }

  /** What `voiceplane preview` reads of a preview. The classes retain what destroy sends nothing for. */
  steps(program: Program, replaced: Replaced = {}): Step[] {
    const ctx = this.context();
    const { type } = this.#lifecycle;
    const state = ({ inputs, outputs }: Partial<Stored>): ResourceState => ({
      ...{ type: typeTokens.native(type), custom: true, parent: "", provider: "", protect: undefined },
      ...{ inputs: inputs ?? {}, outputs: outputs ?? {} },
      retainOnDelete: (inputs?.onDelete ?? "retain") === "retain",
    });
    return [...new Set([...this.#states.keys(), ...Object.keys(program)])].map((name) => {
      const [stored, args] = [this.#states.get(name), program[name]];
      const plan = args && this.#plan(ctx, name, args, replaced);
      const op = plan ? plan.step : "delete";
      return {
        ...{ op: op === "same" ? undefined : op, same: op === "same" },
        ...{ urn: `urn:pulumi:dev::p::${typeTokens.native(type)}::${name}`, type: typeTokens.native(type) },
        before: stored && state(stored),
        after: plan && state({ inputs: plan.inputs }),
      };
    });
  }

  /** Creates, updates and replaces, then deletes the rest. Resolves to the steps. */
  async up(program: Program, replaced: Replaced = {}): Promise<Record<string, Plan["step"]>> {
    const ctx = this.context();
    const steps: Record<string, Plan["step"]> = {};
    for (const [name, args] of Object.entries(program)) {
      steps[name] = await this.#apply(ctx, name, args, replaced);
    }
    for (const [name, stored] of this.#states) {
      if (name in program) continue;
      this.#pendingDeletes.push(stored);
      this.#states.delete(name);
    }
    await this.#deletePending(ctx);
    return steps;
  }

  /** Clears init errors, as the engine does. */
  async refresh(): Promise<void> {
    const ctx = this.context();
    const reads = [...this.#states].map(async ([name, stored]) => {
      const outputs = await this.#lifecycle.read(ctx, asState(stored.outputs));
      this.#states.set(name, { ...stored, outputs: overTheWire(outputs), initErrors: [] });
    });
    await Promise.all(reads);
  }

  async destroy(): Promise<void> {
    this.#pendingDeletes.push(...this.#states.values());
    this.#states.clear();
    await this.#deletePending(this.context());
  }

  /** The context of a new provider process, which lives for one operation with its run. */
  context(): Context {
    return {
      organization: this.around.organization,
      api: this.around.api,
      now: () => this.around.now(),
      address: this.around.address ?? "",
      run: newRun(),
      log: {
        info: (message) => void this.#said.push(`info: ${message}`),
        warn: (warning) => {
          if (ofRequest.includes(warning.code)) this.#risks.push(warning.text);
          else this.#said.push(`warning: ${warning.text}`);
        },
      },
    };
  }

  #check(ctx: Context, name: string, olds: Values, args: Values): Values {
    const { inputs, problems } = this.#lifecycle.check({ ...ctx, name }, overTheWire(olds), overTheWire(args));
    if (problems.length > 0) throw new Refused(problems);
    return overTheWire(inputs);
  }

  #plan(ctx: Context, name: string, args: Values, { replace = [], replaceOnChanges = [] }: Replaced = {}): Plan {
    const stored = this.#states.get(name);
    if (!stored) return { step: "create", inputs: this.#check(ctx, name, {}, args) };
    // For a replacement the engine calls check as for a new object.
    const anew = (): Plan => ({ step: "replace", inputs: this.#check(ctx, name, {}, args), stored });
    if (replace.includes(name)) return anew();
    const inputs = this.#check(ctx, name, stored.inputs, args);
    const { changes, replaces = [] } = this.#lifecycle.diff(ctx, asState(stored.outputs), asState(inputs));
    if (changes && replaces.length > 0) return anew();
    if (!changes && stored.initErrors.length === 0) return { step: "same", inputs, stored };
    return replaceOnChanges.includes(name) ? anew() : { step: "update", inputs, stored };
  }

  async #apply(ctx: Context, name: string, args: Values, replaced: Replaced): Promise<Plan["step"]> {
    const { step, inputs, stored } = this.#plan(ctx, name, args, replaced);
    if (step === "create" || step === "replace") {
      await this.#sending(name, inputs, () => this.#lifecycle.create(ctx, asState(inputs)));
      if (stored) this.#pendingDeletes.push(stored);
    } else if (stored && step === "update") {
      // After a failed update the engine stores the new state with the old inputs.
      const update = () => this.#lifecycle.update(ctx, asState(stored.outputs), asState(inputs));
      (await this.#sending(name, stored.inputs, update)).inputs = inputs;
    } else if (stored) {
      stored.inputs = inputs;
    }
    return step;
  }

  /** Stores and returns what is sent, also where its answer is lost. */
  async #sending(name: string, inputsIfHalfMade: Values, send: () => Promise<Values>): Promise<Stored> {
    try {
      const stored = { inputs: inputsIfHalfMade, outputs: overTheWire(await send()), initErrors: [] };
      this.#states.set(name, stored);
      return stored;
    } catch (error) {
      if (error instanceof LostAnswerError) {
        const outputs = overTheWire<Values>(error.state);
        this.#states.set(name, { inputs: inputsIfHalfMade, outputs, initErrors: [error.message] });
      }
      throw error;
    }
  }

  async #deletePending(ctx: Context): Promise<void> {
    for (let stored = this.#pendingDeletes.at(-1); stored; stored = this.#pendingDeletes.at(-1)) {
      await this.#lifecycle.delete(ctx, asState(stored.outputs));
      this.#pendingDeletes.pop();
    }
  }
}

/** What the engine's protocol and state file keep of a value. A value that they cannot keep fails the test. */
function overTheWire<T extends Values>(values: T): T {
  expect(JSON.parse(JSON.stringify(values))).toStrictEqual(values);
  return structuredClone(values);
}

/** The engine has no types: it passes back what the lifecycle returned. */
function asState(values: Values): Values & { organization: string } {
  return structuredClone(values) as Values & { organization: string };
}
