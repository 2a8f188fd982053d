/** When a webhook's secret is rotated, the one request that rotates it, and the state that follows. */
import { containsEngineMark } from "../values.js";
import { outcomeOf } from "../client/errors.js";
import { rotateWebhookSecret } from "../client/operations.js";
import { findSecret } from "./find-secret.js";
import {
  identityOf,
  isUncertain,
  keepStateIfLost,
  sameValues,
  UncertainError,
  warn,
  type Context,
} from "./lifecycle.js";
import { keysIn } from "./rules.js";
import { isDue, isoDate, isPeriodOver } from "./schedule.js";
import { webhooksAnswer } from "./webhook-list.js";
import { webhook } from "./webhook-replacement.js";
import type { WebhookSecretInputs as Inputs, WebhookSecretState as State } from "./webhook-secret.js";

/** Whether these inputs ask for a rotation. Needs neither clock nor network. */
export function asksToRotate(state: State, inputs: Inputs): boolean {
  return isUncertain(state) || !sameValues(state, inputs, ["triggers"]) || isDue(state, inputs);
}

/** Whether an update from this state rotates. */
export async function mustRotate(ctx: Context, state: State, inputs: Inputs): Promise<boolean> {
  if (!asksToRotate(state, inputs)) return false;
  const isDueAlone = !isUncertain(state) && sameValues(state, inputs, ["triggers"]);
  return !isDueAlone || isDueOnServer(ctx, state, inputs);
}

/** If two clocks differ by more, one of them is wrong. */
const clockToleranceMs = 3_600_000;

/**
 * Whether a date that has come by this machine's clock has also come by the server's. Without a date in the server's answer,
 * this machine's clock decides.
 *
 * @returns false where a clock that was behind computed the date: it is skipped, and the next one counts
 * @throws Error where the date has not come by the server's clock: the update fails, and the date stays
 */
async function isDueOnServer(ctx: Context, state: State, inputs: Inputs): Promise<boolean> {
  if (!ctx.api.serverTime) return true;
  const due = inputs.__due ?? "";
  const now = await serverTime(ctx);
  if (!now) {
    const message = "the server's answer has no date, so this machine's clock alone says that the rotation is due.";
    warn(ctx, webhook, inputs, message);
    return true;
  }
  if (isoDate(new Date(now.getTime() + clockToleranceMs)) < due) {
    throw new Error(
      `${identityOf(webhook, inputs)}: nothing was rotated: the rotation is due on ${due}, and by the server's clock ` +
        `it is ${isoDate(now)}. This machine's clock says ${isoDate(ctx.now())}: correct it and run the update again.`,
    );
  }
  if (state.rotatedAt === undefined || isPeriodOver(state.rotatedAt, inputs.rotateAfter ?? "1d", now)) return true;
  const message =
    `nothing was rotated: the last rotation was at ${state.rotatedAt}, less than ${String(inputs.rotateAfter)} ago, so a clock ` +
    `that was behind computed the date ${due}. The next one is ${String(inputs.rotateOn)}.`;
  warn(ctx, webhook, inputs, message);
  return false;
}

/** From any answer, also a refusal. */
async function serverTime(ctx: Context): Promise<Date | undefined> {
  try {
    await webhooksAnswer(ctx);
  } catch (error) {
    if (outcomeOf(error) !== "refused") throw error;
  }
  return ctx.api.serverTime?.();
}

/** This machine's time, or the server's where the two differ: later dates are computed from it. */
function timeOf(ctx: Context): Date {
  const [here, there] = [ctx.now(), ctx.api.serverTime?.()];
  return there && Math.abs(there.getTime() - here.getTime()) > clockToleranceMs ? there : here;
}

/** @param old of the same webhook, if there is one */
export async function rotate(ctx: Context, inputs: Inputs, old?: State): Promise<State> {
  const before = old ? withLearnedSecret(old, inputs) : adopted(inputs);
  const data = await rotateOnce(ctx, inputs, { ...before, rotationState: "uncertain" });
  const previousSecret = before.secret ?? before.previousSecret;
  const state = {
    ...declared(inputs),
    ...(previousSecret !== undefined && { previousSecret }),
    rotatedAt: timeOf(ctx).toISOString(),
    rotationCount: before.rotationCount + 1,
  };
  const secret = findSecret(data, inputs.secretPath);
  if (secret !== undefined) return { ...state, secret, rotationState: "rotated" };
  const isEmpty = data === undefined || data === null;
  ctx.log.warn(
    `${identityOf(webhook, inputs)}: rotated, but no secret was found in the answer` +
      (isEmpty
        ? ", which holds nothing. Look for it where the server shows it."
        : '. It is kept in the secret output "data": set secretPath to the place of the secret in it; that rotates nothing.'),
  );
  if (isEmpty) return { ...state, rotationState: "unread" };
  return { ...state, rotationState: "unread", data: containsEngineMark(data) ? { text: JSON.stringify(data) } : data };
}

/**
 * Sends a rotation, unless one of the same webhook became uncertain in this run: an error hook, another resource or another provider
 * may ask again before the program's author knows.
 */
async function rotateOnce(ctx: Context, inputs: Inputs, uncertain: State): Promise<unknown> {
  const notes = keysIn(ctx, webhook, inputs).map((key) => `uncertain rotation: ${key}`);
  const { providers } = ctx.run.notes();
  if (notes.some((note) => providers.has(note))) {
    const message =
      "the answer to a rotation was lost earlier in this run, and that one may have been carried out, so nothing was sent. " +
      "Run `pulumi up` again: it rotates once more.";
    throw new UncertainError(`${identityOf(webhook, inputs)}: ${message}`, uncertain);
  }
  try {
    return await keepStateIfLost(() => rotateWebhookSecret(ctx.api, inputs.webhookId), uncertain);
  } catch (error) {
    if (error instanceof UncertainError) for (const note of notes) ctx.run.note(note);
    throw error;
  }
}

/** The state without a rotation, with all that was known before. */
export function withoutRotation(inputs: Inputs, old?: State): State {
  if (!old) return adopted(inputs);
  const { triggers, __due, ...rest } = withLearnedSecret(old, inputs);
  return { ...rest, ...declared(inputs) };
}

/** The state of a webhook that was never rotated here. */
export function adopted(inputs: Inputs): State {
  const { initialSecret } = inputs;
  return {
    ...declared(inputs),
    ...(initialSecret !== undefined && { secret: initialSecret }),
    rotationCount: 0,
    rotationState: "adopted",
  };
}

/** The inputs that the state keeps. */
function declared({ account, webhookId, triggers, __due }: Inputs) {
  return { account, webhookId, ...(triggers && { triggers }), ...(__due && { __due }) };
}

/**
 * The state with a secret that the inputs reveal without a rotation; the same object where they reveal nothing new. Nothing is thrown
 * away: a secret stays when `initialSecret` is removed, and the answer stays for another `secretPath`, as the first may be wrong.
 */
export function withLearnedSecret(state: State, inputs: Inputs): State {
  const isAdopted = state.rotationState === "adopted";
  const secret = isAdopted ? inputs.initialSecret : findSecret(state.data, inputs.secretPath);
  if (secret === undefined || secret === state.secret) return state;
  return { ...state, secret, rotationState: isAdopted ? "adopted" : "rotated" };
}
