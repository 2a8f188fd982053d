/**
 * Reports the problems of several resources at once. The engine stops at the first resource that its provider refuses, so the program itself
 * reports the problems where several are invalid. One alone is left to the provider, whose report also has the problems of its settings.
 */
import { Output, type Input } from "@pulumi/pulumi/output";
import { resources, type ResourceType } from "../resources/index.js";
import { problemsOfArgs } from "../lifecycle/dry-run.js";
import { propertyOf, type Diagnostic } from "../values/diagnostic.js";
import type { Values } from "../values/any.js";
import { replaced, unknownValue } from "../values/engine.js";
import type { ProgramRun } from "./program-run.js";

/**
 * The problems of the arguments that are known in the program. None if all of them are missing arguments, which a transform may add later.
 */
export function knownProblems(type: ResourceType, args: Values): Diagnostic[] {
  const problems = problemsOfArgs(resources[type].lifecycle, replaced(args, unknownIfLater));
  const isMissing = (each: Diagnostic): boolean =>
    (each.path?.length ?? 0) <= 1 && args[propertyOf(each)] === undefined;
  return problems.every(isMissing) ? [] : [...problems];
}

const unknownIfLater = (value: unknown): unknown => (isDeferred(value) ? unknownValue : value);

/** Whether the program knows the value only later. */
export const isDeferred = (value: unknown): boolean => Output.isInstance(value) || value instanceof Promise;

/**
 * For an invalid resource: waits until the program has declared all that it declares without waiting. Resolves with `value` if no other resource
 * is invalid by then. Otherwise it never resolves.
 *
 * @param report reports the problems of this resource and ends the program
 */
export function unlessSeveral(run: ProgramRun, value: Input<unknown>, report: () => void): Promise<unknown> {
  run.invalid++;
  return new Promise((resolve) => {
    setImmediate(() => {
      if (run.invalid > 1) report();
      else resolve(value);
    });
  });
}
