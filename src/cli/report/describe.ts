/** A preview in words: what each step does to the organization, and what may go wrong with it. */
import { organizationSentences, isOwnProvider } from "./addresses.js";
import { changeOf, type Change } from "./changes.js";
import { errorLines } from "./errors.js";
import type { PlaceOf } from "./places.js";
import type { Op, Preview, Step } from "./read.js";
import { resourceOf, stackIn } from "./resources.js";
import { compareRisks, risksOf, type Risk } from "./risks.js";
import { summaryOf } from "./summary.js";
import { previewContextOf, type PreviewContext } from "./preview-context.js";
import { plain } from "./text.js";

/** Resources of other providers. */
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
  /** Empty where the preview has no steps. */
  readonly stack: string;
  readonly project: string;
  /** Where requests go, as far as the steps tell. */
  readonly addresses: readonly string[];
  /** Requests that change something in an organization. */
  readonly requestCount: number;
  /** Those that send and those that do not, and other resources; without components and the stack itself. */
  readonly changeCount: number;
  /** How many of them are not due alone, those of other resources included: what nobody may have approved yet. */
  readonly editCount: number;
  /** Resources that the engine calls unchanged and does not show: edits of them that act later may be missing. */
  readonly unseenCount: number;
  /** All risks of all changes, each once, the worst first. */
  readonly risks: readonly Risk[];
  /** Those with the worst risks first; whatever order the engine works in, in the same order. */
  readonly changes: readonly Change[];
  readonly others: readonly OtherChanges[];
  /** One line each, bounded in number and length, and no secret in them: see errorLines. */
  readonly errors: readonly string[];
}

export interface Outside {
  /** What errors must not repeat; a preview hides those that it knows itself. */
  readonly secrets?: readonly string[];
  readonly placeOf?: PlaceOf;
}

/** The same preview always gives the same report: no clock, no network, and of what is outside only places in a file. */
export async function describe(
  preview: Preview,
  { secrets = [], placeOf = () => undefined }: Outside = {},
): Promise<Report> {
  const context = previewContextOf(preview);
  const changes = organizationChanges(preview.steps, context);
  const others: Step[] = [];
  for (const step of preview.steps) {
    const resource = resourceOf(step.type);
    if (resource) changes.push(...(await changeOf(step, resource, context, placeOf)));
    else if (step.op !== undefined && isOther(step)) others.push(step);
  }
  const sorted = withAccounts(changes, preview.steps).sort(
    (a, b) => compareRisks(a.risks, b.risks) || b.requests - a.requests || (a.text < b.text ? -1 : 1),
  );
  const requestCount = sorted.reduce((sum, { requests }) => sum + requests, 0);
  const facts = {
    kind: preview.kind,
    complete: preview.complete,
    ...stackIn(preview.steps[0]?.urn ?? ""),
    addresses: addressesOf(preview.steps, context),
    requestCount,
    changeCount: sorted.length + others.length,
    editCount: sorted.filter(({ dueAlone }) => !dueAlone).length + others.length,
    unseenCount: preview.unseen,
    risks: risksOf(sorted),
  };
  const otherCount = sorted.filter(({ requests }) => requests === 0).length + others.length;
  return {
    summary: summaryOf({ ...facts, otherCount }),
    ...facts,
    changes: sorted,
    others: counted(others),
    errors: errorLines(preview.errors, secrets),
  };
}

function isOther(step: Step): boolean {
  return (step.after ?? step.before)?.custom === true && !isOwnProvider(step);
}

function organizationChanges(steps: readonly Step[], context: PreviewContext): Change[] {
  return organizationSentences(steps, context).map(({ op, account, text, risks }) => ({
    op,
    type: "Provider",
    name: plain(account),
    id: "",
    account: plain(account),
    text: plain(text),
    risks,
    requests: 0,
    dueAlone: false,
    diff: [],
    place: undefined,
  }));
}

/** From now on; of a destroy, until now. */
function addressesOf(steps: readonly Step[], { addressOf }: PreviewContext): string[] {
  const own = steps.filter(({ type }) => resourceOf(type));
  const after = own.flatMap((step) => (step.after ? (addressOf(step.after, step.after.inputs) ?? []) : []));
  const before = own.flatMap((step) => (step.before ? (addressOf(step.before, step.before.outputs) ?? []) : []));
  const isDestroy = own.every((step) => !step.after);
  return [...new Set((isDestroy ? before : after).map((address) => plain(address)))].sort();
}

/** Where one report is about several organizations, every sentence says which. */
function withAccounts(changes: readonly Change[], steps: readonly Step[]): Change[] {
  const accounts = new Set(
    steps.filter(({ type }) => resourceOf(type)).map(({ before, after }) => (after ?? before)?.inputs.account),
  );
  if (accounts.size < 2) return [...changes];
  return changes.map((change) =>
    change.type === "Provider" ? change : { ...change, text: `${change.account}: ${change.text}` },
  );
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
