/** What one run of a program has declared. A process may have several runs: the Automation API runs programs in its own process. */
import { getEngine, getMonitor } from "@pulumi/pulumi/runtime/settings";
import { getStackResource } from "@pulumi/pulumi/runtime/stack";
import { joinRun } from "../provider/run-notes.js";
import type { ProviderSettings } from "../provider/settings.js";
import { singleProcessRun, type EngineRun } from "../lifecycle/context.js";
import { Declarations } from "../lifecycle/object.js";
import type { Declared } from "./declared.js";

export interface ProgramRun {
  readonly declarations: Declarations<Declared>;
  /** The names of explicit providers, by the variables that their tokens are taken from. */
  readonly providerNames: Map<string, string>;
  /** The program's notes for the providers. */
  readonly engineRun: EngineRun;
  /** How many resources have arguments that are known to be invalid. */
  invalid: number;
  /** The settings of the default provider, once they have been read. */
  settings?: ProviderSettings;
  /** Whether the run has said that customTimeouts have no effect. */
  warnedOfTimeouts?: boolean;
}

/**
 * The runs by their stack resources, because nothing else distinguishes runs. All copies of this module in a process share them, such as the
 * one in `pulumi-voiceplane/stack`: with runs of its own, a second copy would remove the notes of the first.
 */
const runs = shared("pulumi-voiceplane.runs", () => new WeakMap<object, ProgramRun>());

/** In place of a stack resource, for programs that have neither a stack nor mocks. */
const noStack = shared("pulumi-voiceplane.noStack", () => ({}));

function shared<T>(name: string, make: () => T): T {
  const all = globalThis as Record<symbol, unknown>;
  return (all[Symbol.for(name)] ??= make()) as T;
}

/** The caller's run. An output's callback may run in a later run, so it has to use the run in which it was created. */
export function currentProgramRun(): ProgramRun {
  // A program with mocks has no stack: each setMocks starts another run.
  const key = getStackResource() ?? getMonitor() ?? noStack;
  const run = runs.get(key) ?? {
    declarations: new Declarations(),
    providerNames: new Map(),
    invalid: 0,
    engineRun: joinEngineRun(),
  };
  runs.set(key, run);
  return run;
}

function joinEngineRun(): EngineRun {
  const engine = getEngine() as { getChannel(): { getTarget(): string } } | undefined;
  const port = /:(\d+)$/.exec(engine?.getChannel().getTarget() ?? "")?.[1];
  return port === undefined ? singleProcessRun() : joinRun(Number(port), "program");
}
