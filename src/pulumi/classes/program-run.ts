/** What is remembered within one run of a program. A process may run several: the Automation API runs them in its own. */
import type { EngineRun } from "../../resources/lifecycle.js";
import { getEngine, getMonitor } from "@pulumi/pulumi/runtime/settings";
import { getStackResource } from "@pulumi/pulumi/runtime/stack";
import { joinRun, singleProcessRun } from "../engine-run.js";
import type { ProviderSettings } from "../settings.js";

export interface ProgramRun {
  /** Names of the resources by the objects that they declare. */
  readonly declaredObjects: Map<string, string>;
  /** Labels of explicit providers by the variables that their tokens are taken from. */
  readonly labels: Map<string, string>;
  /** What the providers are told of the program. */
  readonly engineRun: EngineRun;
  /** Of the default provider, once they have been asked for. */
  settings?: ProviderSettings;
}

/** Each run makes a stack resource of its own, and nothing else tells runs apart. */
const runs = new WeakMap<object, ProgramRun>();

/** For programs without a stack and without mocks: all of a process are one. */
const noStack = {};

/** The run in which the caller is. Callbacks of outputs may be called later: let them keep the run they were made in. */
export function currentProgramRun(): ProgramRun {
  // A program that runs with mocks has no stack: each setMocks begins another one.
  const key = getStackResource() ?? getMonitor() ?? noStack;
  let run = runs.get(key);
  if (!run) {
    run = { declaredObjects: new Map<string, string>(), labels: new Map<string, string>(), engineRun: engineRun() };
    runs.set(key, run);
  }
  return run;
}

function engineRun(): EngineRun {
  const engine = getEngine() as { getChannel(): { getTarget(): string } } | undefined;
  const port = /:(\d+)$/.exec(engine?.getChannel().getTarget() ?? "")?.[1];
  return port === undefined ? singleProcessRun() : joinRun(Number(port), "program");
}
