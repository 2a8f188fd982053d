/** Objects that the program declares under another name, and the commands that give their rows of the state the new names. */
import type { Step } from "../pulumi/preview-or-update.js";
import { wholeNameIn } from "./resources.js";

interface Rename {
  readonly from: Step;
  readonly to: Step;
}

/** Renames that depend on each other: each one takes the name that the next one gives up. */
export interface RenameGroup {
  readonly renames: readonly Rename[];
  /** Whether the last one takes the name that the first one gives up: a swap. */
  readonly isCycle: boolean;
  /** In order; undefined if the engine cannot rename the rows, or if a line is not safe to paste into a shell. */
  readonly commands: readonly string[] | undefined;
}

/** @param declarerOf the step that declares the object of a step's old state */
export function renameGroupsOf(
  steps: readonly Step[],
  declarerOf: (step: Step) => Step | undefined,
): ReadonlyMap<Step, RenameGroup> {
  const byFrom = new Map<Step, Rename>();
  const byTo = new Map<Step, Rename>();
  // The engine's order does not matter.
  for (const from of steps.toSorted((a, b) => (a.urn < b.urn ? -1 : 1))) {
    const to = declarerOf(from);
    if (!to || byTo.has(to) || !(to.op === "create" || (to.op === "replace" && declarerOf(to) !== to))) continue;
    byFrom.set(from, { from, to });
    byTo.set(to, { from, to });
  }
  const groups = new Map<Step, RenameGroup>();
  const urns = new Set(steps.map(({ urn }) => urn));
  const starts = [...byFrom.keys()];
  // A chain begins with a name that no other rename takes. What is left are cycles.
  for (const start of [...starts.filter((step) => !byTo.has(step)), ...starts]) {
    if (groups.has(start)) continue;
    const renames: Rename[] = [];
    for (let next = byFrom.get(start); next && renames[0] !== next; next = byFrom.get(next.to)) renames.push(next);
    // A name that the update frees only by a delete cannot be taken before it.
    const last = renames.at(-1)?.to;
    if (last === undefined || (last.op !== "create" && last !== start)) continue;
    const group = groupOf(renames, urns);
    for (const { from } of renames) groups.set(from, group);
  }
  return groups;
}

function groupOf(renames: readonly Rename[], urns: ReadonlySet<string>): RenameGroup {
  const isCycle = renames.at(-1)?.to === renames[0]?.from;
  return { renames, isCycle, commands: commandsFor(renames, isCycle, urns) };
}

/** The last rename first: each one needs a name that no row has. */
function commandsFor(renames: readonly Rename[], isCycle: boolean, urns: ReadonlySet<string>): string[] | undefined {
  const [first, ...others] = renames;
  if (!first || !renames.every(isPossible)) return undefined;
  const line = (urn: string, name: string): string => `pulumi state rename '${urn}' ${name}`;
  const last = others.reverse().map(({ from, to }) => line(from.urn, wholeNameIn(to.urn)));
  if (!isCycle) return [...last, line(first.from.urn, wholeNameIn(first.to.urn))];
  let temporary = `${wholeNameIn(first.from.urn)}-moving`;
  while (urns.has(qualifiedType(first.from.urn) + temporary)) temporary += "-moving";
  return [
    line(first.from.urn, temporary),
    ...last,
    line(qualifiedType(first.from.urn) + temporary, wholeNameIn(first.to.urn)),
  ];
}

/** Only the name differs, and the line is safe to paste into a shell. */
function isPossible({ from, to }: Rename): boolean {
  const isSameParent = from.before?.parent === to.after?.parent;
  const isSameType = qualifiedType(from.urn) === qualifiedType(to.urn);
  const isPlain = /^[\w$:/.-]{1,600}$/.test(from.urn) && /^\w[\w.-]{0,99}$/.test(wholeNameIn(to.urn));
  return isSameParent && isSameOrganization({ from, to }) && isSameType && isPlain;
}

/** Under another organization it is another object for the engine, even with an alias. */
export const isSameOrganization = ({ from, to }: Rename): boolean =>
  from.before?.inputs.organization === to.after?.inputs.organization;

const qualifiedType = (urn: string): string => urn.slice(0, urn.length - wholeNameIn(urn).length);
