/** A preview in words: what each step does to the organization, and what may go wrong with it. */
import { isDeepStrictEqual } from "node:util";
import { containsUnknown, identityOf, type Values } from "../../lifecycle.js";
import { isDue } from "../../schedule.js";
import { errorLines } from "./errors.js";
import { secretsAsUnknown } from "./hidden.js";
import type { Op, Preview, ResourceState, Step } from "./read.js";
import { rehearse, type Verb } from "./rehearse.js";
import { changedInputs, namesOf, resourceOf, type Resource } from "./resources.js";
import { risks, type Risk } from "./risks.js";
import { summaryOf } from "./summary.js";
import { plain } from "./text.js";
import { tell, type Facts, type Telling } from "./words/facts.js";

export interface Change {
  readonly op: Op;
  /** The user's name of the resource type, e.g. "RetentionPolicy". */
  readonly type: string;
  readonly name: string;
  /** The organization, empty where it cannot be read. */
  readonly account: string;
  /** One or more sentences, without a full stop at the end. Plain text that holds no secret, to be escaped by a format. */
  readonly text: string;
  /** The worst first. */
  readonly risks: readonly Risk[];
  /** Whether the clock alone brings it about, without a risk: nothing but what was approved before is sent again. */
  readonly dueAlone: boolean;
}

/** Resources of other providers, and components. */
export interface OtherChanges {
  readonly type: string;
  readonly counts: Readonly<Partial<Record<Op, number>>>;
}

export interface Report {
  /** At most 140 characters, which is what a commit status takes. */
  readonly summary: string;
  readonly kind: Preview["kind"];
  /** False if the preview or update failed: changes may be missing. */
  readonly complete: boolean;
  readonly changeCount: number;
  /** How many of them are not due alone, those of other resources included: what nobody may have approved yet. */
  readonly editCount: number;
  /** All risks of all changes, each once, the worst first. */
  readonly risks: readonly Risk[];
  /** Those with the worst risks first; whatever order the engine works in, in the same order. */
  readonly changes: readonly Change[];
  readonly others: readonly OtherChanges[];
  /** One line each, bounded in number and length, and no secret in them: see errorLines. */
  readonly errors: readonly string[];
}

/**
 * The same preview always gives the same report: no clock, no network, nothing outside of it.
 *
 * @param secrets what errors must not repeat; a preview hides those that it knows itself
 */
export async function describe(preview: Preview, secrets: readonly string[] = []): Promise<Report> {
  const surroundings = surroundingsOf(preview.steps);
  const changes: Change[] = [];
  const others: Step[] = [];
  for (const step of preview.steps) {
    const resource = resourceOf(step.type);
    if (step.op === undefined) continue;
    else if (resource) changes.push(await changeOf({ ...step, op: step.op }, resource, surroundings));
    else others.push(step);
  }
  const told = withAccounts(changes).sort((a, b) => rank(a) - rank(b) || (a.text < b.text ? -1 : 1));
  const facts = {
    kind: preview.kind,
    complete: preview.complete,
    changeCount: told.length + others.length,
    editCount: told.filter(({ dueAlone }) => !dueAlone).length + others.length,
    risks: risksOf(told),
  };
  return {
    summary: summaryOf(facts),
    ...facts,
    changes: told,
    others: counted(others),
    errors: errorLines(preview.errors, secrets),
  };
}

interface Surroundings {
  readonly nameOf: (step: Step) => string;
  /** Identities that the program declares: deleting one of them sends nothing. */
  readonly claims: ReadonlySet<string>;
  /** What objects are known to be that this update makes anew or under another name. */
  readonly known: ReadonlyMap<string, Values>;
}

function surroundingsOf(steps: readonly Step[]): Surroundings {
  const claims = new Set<string>();
  const known = new Map<string, Values>();
  for (const { type, before, after } of steps) {
    const lifecycle = resourceOf(type)?.lifecycle;
    if (!lifecycle) continue;
    if (after && isNamed(after.inputs, lifecycle.identity)) claims.add(identityOf(lifecycle, after.inputs));
    if (before && isNamed(before.outputs, lifecycle.identity)) {
      known.set(identityOf(lifecycle, before.outputs), before.outputs);
    }
  }
  return { nameOf: namesOf(steps), claims, known };
}

function isNamed(values: Values, identity: string): boolean {
  return typeof values.account === "string" && typeof values[identity] === "string";
}

type ChangingStep = Step & { readonly op: Op };

async function changeOf(step: ChangingStep, resource: Resource, surroundings: Surroundings): Promise<Change> {
  const tellings = await tellingsOf(step, resource, surroundings);
  const { account } = step.after?.inputs ?? step.before?.outputs ?? {};
  const risks = risksOf(tellings);
  return {
    op: step.op,
    type: resource.lifecycle.type,
    name: plain(surroundings.nameOf(step)),
    account: typeof account === "string" ? plain(account) : "",
    text: plain(tellings.map(({ text }) => text).join("; ")),
    risks,
    dueAlone: risks.length === 0 && isDueAlone(step),
  };
}

/** Whatever cannot be seen, or is not known to have arrived, may be an edit. */
function isDueAlone({ op, before, after }: ChangingStep): boolean {
  if (op !== "update" || !before || !after) return false;
  const inputs = secretsAsUnknown(after.inputs);
  return (
    dueDate(before.outputs, inputs) !== undefined &&
    changedInputs(before.inputs, after.inputs, isDeepStrictEqual).length === 0 &&
    !containsUnknown(inputs) &&
    !isLost(before.outputs)
  );
}

async function tellingsOf(step: ChangingStep, resource: Resource, around: Surroundings): Promise<Telling[]> {
  const name = plain(around.nameOf(step));
  switch (step.op) {
    case "import":
      return [tell(`${name} is taken over as it is: nothing is sent`)];
    case "create":
      return verbTellings("create", step, resource, around);
    case "update":
      return verbTellings("update", step, resource, around);
    case "delete":
      if (!isClaimed(step.before, resource, around)) return verbTellings("delete", step, resource, around);
      return [tell(`${name}: declared under another name, and nothing is sent for the old one`)];
    case "replace": {
      const fresh = await verbTellings("create", step, resource, around);
      if (isClaimed(step.before, resource, around)) return fresh;
      const former = { ...around, nameOf: () => `the former ${name}` };
      return [...fresh, ...(await verbTellings("delete", step, resource, former))];
    }
  }
}

function isClaimed(before: ResourceState | undefined, { lifecycle }: Resource, { claims }: Surroundings): boolean {
  if (!before || !isNamed(before.outputs, lifecycle.identity)) return false;
  return claims.has(identityOf(lifecycle, before.outputs));
}

async function verbTellings(
  verb: Verb,
  step: ChangingStep,
  { lifecycle, words }: Resource,
  { nameOf, claims, known }: Surroundings,
): Promise<Telling[]> {
  const state = step.before?.outputs ?? {};
  const inputs = secretsAsUnknown((verb === "delete" ? step.before?.outputs : step.after?.inputs) ?? {});
  const name = plain(nameOf(step));
  const sendsNothing = verb === "delete" && step.before?.retainOnDelete === true;
  const sent = sendsNothing ? [] : await rehearse(lifecycle, { verb, state, inputs, claims });
  if (!sent) return [tell(`${name}: what happens cannot be told from these values`, ...words.unreadable)];

  const isMadeAnew = verb === "create" && isNamed(inputs, lifecycle.identity);
  const before = verb !== "create" ? state : isMadeAnew ? known.get(identityOf(lifecycle, inputs)) : undefined;
  const facts: Facts = {
    verb,
    name,
    before,
    inputs,
    changed: changedInputs(step.before?.inputs ?? {}, step.after?.inputs ?? {}, isDeepStrictEqual),
    due: verb === "update" ? dueDate(state, inputs) : undefined,
    lost: before !== undefined && isLost(before),
  };
  if (sent.length === 0) return words.nothingSent(facts);
  const tellings = sent.flatMap((request) => words.sent(request, facts));
  return verb === "delete" ? tellings.map(({ text, ...rest }) => ({ text: `destroy: ${text}`, ...rest })) : tellings;
}

function isLost({ uncertain, rotationState }: Values): boolean {
  return uncertain !== undefined || rotationState === "uncertain";
}

function dueDate(state: Values, inputs: Values): string | undefined {
  const { __due: due } = inputs;
  if (typeof due !== "string" || !isDue(state, inputs)) return undefined;
  return /^\d{4}-\d\d-\d\d$/.test(due) ? due : "now";
}

/** Where one report is about several organizations, every sentence says which. */
function withAccounts(changes: readonly Change[]): Change[] {
  const accounts = new Set(changes.map(({ account }) => account));
  if (accounts.size < 2) return [...changes];
  return changes.map((change) => ({ ...change, text: `${change.account}: ${change.text}` }));
}

function risksOf(items: readonly { readonly risks: readonly Risk[] }[]): Risk[] {
  return risks.filter((risk) => items.some((item) => item.risks.includes(risk)));
}

function rank({ risks: [worst] }: Change): number {
  return worst === undefined ? risks.length : risks.indexOf(worst);
}

function counted(steps: readonly Step[]): OtherChanges[] {
  const byType = new Map<string, Partial<Record<Op, number>>>();
  for (const { type, op } of steps) {
    if (op === undefined) continue;
    const counts = byType.get(type) ?? {};
    byType.set(type, { ...counts, [op]: (counts[op] ?? 0) + 1 });
  }
  return [...byType]
    .map(([type, counts]) => ({ type: plain(type), counts }))
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}
