/** Changes of resources of other packages. */
import { isDeepStrictEqual } from "node:util";
import type { Values } from "../../../values/any.js";
import { safeText } from "../../output.js";
import type { Op, Step } from "../../pulumi/steps.js";
import { isOwnProvider } from "../situations/providers.js";
import { lifecycleOf } from "../situations/resources.js";

/** A change of a resource of another package. */
export interface OtherChange {
  readonly urn: string;
  readonly op: Op;
  /** The names of the inputs that differ. */
  readonly properties: readonly string[];
}

/** All changes of one type of another package. */
export interface OtherChanges {
  readonly type: string;
  readonly counts: Readonly<Partial<Record<Op, number>>>;
  readonly resources: readonly OtherChange[];
}

/** Whether it is a resource of a provider, and neither a component nor the stack. */
export const isCustom = ({ before, after }: Step): boolean => (after ?? before)?.custom === true;

/** Sorted, because the engine's order may differ from run to run. */
export function otherChanges(steps: readonly Step[]): OtherChanges[] {
  const others = steps.flatMap((step) => {
    const { op, type, urn, before, after } = step;
    if (op === undefined || !isCustom(step) || lifecycleOf(type) || isOwnProvider(step)) return [];
    const properties = after ? differing(before?.inputs ?? {}, after.inputs) : [];
    return [{ type: safeText(type), change: { urn: safeText(urn, Infinity), op, properties } }];
  });
  const byType = [...Map.groupBy(others, ({ type }) => type)].map(([type, each]) => {
    const resources = each.map(({ change }) => change).sort((a, b) => (a.urn < b.urn ? -1 : 1));
    const counts = [...Map.groupBy(resources, ({ op }) => op)].map(([op, changes]) => [op, changes.length] as const);
    return { type, counts: Object.fromEntries(counts), resources };
  });
  return byType.sort((a, b) => (a.type < b.type ? -1 : 1));
}

function differing(before: Values, after: Values): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const different = names.filter((name) => !name.startsWith("__") && !isDeepStrictEqual(before[name], after[name]));
  return different.sort().map((name) => safeText(name));
}
