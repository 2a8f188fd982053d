/**
 * What a run knows about each webhook. The engine does not pass the old state to a create, so a replacement would lose a secret that
 * only the state has. Either the new resource takes it over, or the old resource stays in the state.
 */
import { createHash } from "node:crypto";
import { compact } from "../../values/any.js";
import { objectText, objectKey, keysHere } from "../../lifecycle/object.js";
import type { Context, EngineRun } from "../../lifecycle/context.js";
import { errorOf } from "../../values/diagnostic.js";
import { aliasAdvice, entryAdvice } from "../rename-advice.js";
import { webhook, type WebhookSecretInputs as Inputs, type WebhookSecretState as State } from "./arguments.js";
import { secretCopy } from "./readers.js";

interface Seen {
  /** The verb that saw the state. */
  readonly from: "update" | "diff" | "delete";
  readonly state: State;
  /** The inputs of a diff. If the engine then replaces the resource, create gets neither these nor the state. */
  readonly inputs?: Inputs | undefined;
}

/** Only in this process, because it contains secrets. */
const seen = new WeakMap<EngineRun, Map<string, Seen>>();

const webhookKey = ({ organization, webhookId }: Inputs | State): string =>
  objectKey(webhook.type, webhookId, organization);

function seenIn({ run }: Context, values: Inputs | State): Seen | undefined {
  return seen.get(run)?.get(webhookKey(values));
}

function setSeen({ run }: Context, latest: Seen): void {
  const ofRun = seen.get(run) ?? new Map<string, Seen>();
  seen.set(run, ofRun.set(webhookKey(latest.state), latest));
}

/** Remembers the state of the declared resource, and notes for other processes that it has the secret. */
export function rememberDeclared(ctx: Context, state: State, inputs?: Inputs): void {
  setSeen(ctx, { from: inputs ? "diff" : "update", state, inputs });
  if (!isConfirmed(state) && (state.rotationState !== "adopted" || state.secret === undefined)) return;
  const given = isConfirmed(state) ? {} : { digest: digestOf(state) };
  for (const key of keysHere(ctx, webhook, state)) ctx.run.note({ says: "secret known", key, ...given });
}

/** Says whether two processes know the same secret, and is too short for anybody to learn one from it. */
const digestOf = ({ webhookId, secret = "" }: State): string =>
  createHash("sha256")
    .update(JSON.stringify([webhookId, secret]))
    .digest("hex")
    .slice(0, 4);

/** Remembers the state of a resource that is removed, unless this run has seen the declared one. */
export function rememberOld(ctx: Context, state: State): void {
  if (!seenIn(ctx, state)) setSeen(ctx, { from: "delete", state });
}

/** The old state that a create takes over. */
export function replacedBy(ctx: Context, inputs: Inputs): Seen | undefined {
  const latest = seenIn(ctx, inputs);
  // Webhooks whose ids are unknown in a preview have the same key, and are not the same.
  return latest?.from === "update" ? undefined : latest;
}

/** @throws Error if the declared resource lacks a secret that only the old state has */
export function refuseLoss(ctx: Context, old: State): void {
  if (!secretCopy.isIn(old) || hasSecretOf(ctx, old)) return;
  const fresh = calledBy(ctx, old);
  const isRenamed = fresh && fresh.name !== ctx.name;
  const inFile =
    fresh?.entry === undefined ? "" : " (in a file, to the name of a secret of the configuration that has it)";
  const ways = compact(
    isRenamed &&
      `if it was renamed, go back to its former name, run \`pulumi up\`, which sends nothing, and ${renameAdvice(fresh, ctx.name)}`,
    `read the secret with \`pulumi stack export --show-secrets\`, and set initialSecret to it${inFile} and onCreate to "adopt"`,
    secretCopy.renewal,
  );
  throw errorOf(
    "loses-secret",
    `${objectText(webhook, old)}: the program declares this webhook again, without the secret that is in the state. The old ` +
      `resource stays in the state, because it may have the only copy. What helps: ${ways.join("; or ")}.`,
  );
}

interface Called {
  readonly name: string;
  /** Its key, if it is an entry of an Organization. */
  readonly entry: string | undefined;
}

function renameAdvice({ name, entry }: Called, old: string | undefined): string {
  if (entry === undefined) return aliasAdvice(name, old);
  const prefix = name.slice(0, name.length - entry.length);
  return entryAdvice(entry, old?.startsWith(prefix) === true ? old.slice(prefix.length) : old);
}

/** How the program calls the webhook. */
function calledBy(ctx: Context, old: State): Called | undefined {
  const { program, providers } = ctx.run.notes();
  const notes = [program, providers];
  const [called] = keysHere(ctx, webhook, old).flatMap((key) => notes.flatMap((each) => each.of("called", key)));
  if (called === undefined) return undefined;
  const { name } = called;
  return { name, entry: notes.flatMap((each) => each.of("entry", name))[0]?.entry };
}

/** Whether the declared resource has what the old state has, or a later secret. */
function hasSecretOf(ctx: Context, old: State): boolean {
  const latest = seenIn(ctx, old);
  if (!latest || latest.from === "delete") {
    const { providers } = ctx.run.notes();
    const known = keysHere(ctx, webhook, old).flatMap((key) => providers.of("secret known", key));
    return known.some(({ digest = "" }) => ["", digestOf(old)].includes(digest) || old.rotationState === "adopted");
  }
  const declared = latest.state;
  if (isConfirmed(declared)) return true;
  if (declared.secret === undefined) return false;
  // Both secrets are from the program.
  const isDeclared = declared.rotationState === "adopted" && old.rotationState === "adopted";
  return isDeclared || declared.secret === old.secret;
}

/** Whether the state has the secret of a rotation, or the answer that contains it. */
function isConfirmed({ rotationState }: State): boolean {
  return rotationState === "rotated" || rotationState === "unread";
}
