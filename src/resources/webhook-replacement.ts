/**
 * What a run knows of each webhook. The engine does not hand the old state to a create, so a webhook that is replaced would lose a secret
 * that only its state has: the new resource takes it over, or the old row of the state stays.
 */
import { idKey } from "./fields.js";
import { identityOf, type Context, type EngineRun } from "./lifecycle.js";
import { keysIn } from "./rules.js";
import type { WebhookSecretInputs as Inputs, WebhookSecretState as State } from "./webhook-secret.js";

/** The resource in messages and notes. */
export const webhook = { type: "WebhookSecret", identity: "webhookId" } as const;

interface Known {
  /** The verb that saw the state. */
  readonly from: "update" | "diff" | "delete";
  readonly state: State;
  /** What the program declares for a state of a diff. If the engine then replaces the resource, create gets neither. */
  readonly inputs?: Inputs | undefined;
}

/** In this process alone: it holds secrets. */
const known = new WeakMap<EngineRun, Map<string, Known>>();

const keyOf = ({ account, webhookId }: Inputs | State): string => JSON.stringify([account, idKey(webhookId)]);

function knownIn({ run }: Context, values: Inputs | State): Known | undefined {
  return known.get(run)?.get(keyOf(values));
}

function setKnown({ run }: Context, entry: Known): void {
  known.set(run, (known.get(run) ?? new Map<string, Known>()).set(keyOf(entry.state), entry));
}

/** Remembers the state of the declared resource and, for other processes, that it has the secret. */
export function rememberDeclared(ctx: Context, state: State, inputs?: Inputs): State {
  setKnown(ctx, { from: inputs ? "diff" : "update", state, inputs });
  if (isConfirmed(state) || (state.rotationState === "adopted" && state.secret !== undefined)) {
    for (const key of keysIn(ctx, webhook, state)) ctx.run.note(secretKnown(key));
  }
  return state;
}

/** Remembers the state of a row that goes, unless this run has seen the declared resource. */
export function rememberOld(ctx: Context, state: State): void {
  if (!knownIn(ctx, state)) setKnown(ctx, { from: "delete", state });
}

/** What a create takes over. */
export function replacedBy(ctx: Context, inputs: Inputs): Known | undefined {
  const entry = knownIn(ctx, inputs);
  // Two webhooks whose ids a preview does not know are not one.
  return entry?.from === "update" ? undefined : entry;
}

/** @throws Error if the program declares the webhook, without a secret that only its old state has */
export function refuseLoss(ctx: Context, old: State): void {
  if ((old.secret === undefined && old.data === undefined) || isKept(ctx, old)) return;
  throw new Error(
    `${identityOf(webhook, old)}: the program declares this webhook anew, without the secret that the state has of it. So the ` +
      "old row of the state is kept, as it may have the only copy. Read the secret there with `pulumi stack export " +
      "--show-secrets`, write initialSecret with it and rotateOnCreate: false, and run `pulumi up` again. Or change triggers, " +
      "which rotates.",
  );
}

/** Whether the declared resource has what the old state has, or a later secret. */
function isKept(ctx: Context, old: State): boolean {
  const entry = knownIn(ctx, old);
  if (!entry || entry.from === "delete") {
    const { providers } = ctx.run.notes();
    return keysIn(ctx, webhook, old).some((key) => providers.has(secretKnown(key)));
  }
  const declared = entry.state;
  if (isConfirmed(declared)) return true;
  if (declared.secret === undefined) return false;
  // Both are what the program says.
  const isDeclared = declared.rotationState === "adopted" && old.rotationState === "adopted";
  return isDeclared || declared.secret === old.secret;
}

const secretKnown = (key: string): string => `secret known: ${key}`;

/** Whether the secret, or the answer that has it, is that of a rotation. */
function isConfirmed({ rotationState }: State): boolean {
  return rotationState === "rotated" || rotationState === "unread";
}
