/** When a webhook's secret is rotated, the one request that rotates it, and the state that follows. */
import { containsEngineMark, containsUnknown, unknownValue } from "../values/engine.js";
import { attemptOf, outcomeOf } from "../client/errors.js";
import type { Answer } from "../client/api.js";
import { rotateWebhookSecret } from "../client/operations.js";
import { identityOf, isUncertain, sameValues, LostAnswerError, warn, type Context, type Problem } from "./lifecycle.js";
import { keysIn } from "./rules.js";
import { areClocksApart, clockToleranceMs, isDue, isoDate, isPeriodOver } from "./schedule.js";
import { listedIds } from "./webhook-list.js";
import { webhook, type WebhookSecretInputs as Inputs, type WebhookSecretState as State } from "./webhook.js";

/** Whether these inputs ask for a rotation. Uses neither clock nor network. */
export function asksToRotate(state: Partial<State>, inputs: Inputs): boolean {
  return isUncertain(state) || !sameValues(state, inputs, ["triggers"]) || isDue(state, inputs);
}

export async function mustRotate(ctx: Context, state: State, inputs: Inputs): Promise<boolean> {
  if (!asksToRotate(state, inputs)) return false;
  const isDueAlone = !isUncertain(state) && sameValues(state, inputs, ["triggers"]);
  return !isDueAlone || isDueOnServer(ctx, state, inputs);
}

/** Why nothing may be rotated: the state has the only copy of a secret. */
const unsavedRotation = {
  checkpoints:
    "a rotation is refused while PULUMI_SKIP_CHECKPOINTS is set: the state is saved only when the run ends, so the new secret " +
    "would be lost if the run died. Unset the variable and run the update again.",
  stateless:
    "a rotation is refused in `pulumi do --stateless`, which keeps no state, so the new secret would be lost: leave out --stateless, " +
    "or declare the webhook in a program",
};

/**
 * Refuses at preview what `rotateOnce` would refuse. What only the state knows, a lost answer, is not seen here.
 *
 * @param olds empty for a create
 */
export function unsavedRotationProblems(ctx: Context, olds: Partial<Inputs>, inputs: Inputs): Problem[] {
  if (ctx.unsaved === undefined) return [];
  // Triggers that are unknown in a preview may be what they were.
  const rotates =
    olds.webhookId === undefined
      ? inputs.onCreate !== "adopt"
      : asksToRotate(olds, inputs) && !containsUnknown(inputs.triggers);
  return rotates ? [{ property: "", reason: unsavedRotation[ctx.unsaved] }] : [];
}

/**
 * Whether a rotation that is due by this machine's clock is also due by the server's. If the server's answer has no date, this
 * machine's clock decides.
 *
 * @returns false if the date was computed by a clock that was behind: it is skipped, and the next one counts
 * @throws Error if the date is still in the future on the server: the update fails, and the date stays
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

/** From any answer, including a refusal. */
async function serverTime(ctx: Context): Promise<Date | undefined> {
  try {
    await listedIds(ctx);
  } catch (error) {
    if (outcomeOf(error) !== "refused") throw error;
  }
  return ctx.api.serverTime?.();
}

/** This machine's time, or the server's if the two differ: later dates are computed from it. */
function timeOf(ctx: Context): Date {
  const [here, there] = [ctx.now(), ctx.api.serverTime?.()];
  return there && areClocksApart(here, there) ? there : here;
}

/** @param old of the same webhook */
export async function rotate(ctx: Context, inputs: Inputs, old?: State): Promise<State> {
  const before = old ? withLearnedSecret(old, inputs) : adopted(inputs);
  const { attemptId, data } = await rotateOnce(ctx, inputs, before);
  const previousSecret = before.secret ?? before.previousSecret;
  const state = {
    ...declared(inputs),
    ...(previousSecret !== undefined && { previousSecret }),
    rotatedAt: timeOf(ctx).toISOString(),
    rotationCount: before.rotationCount + 1,
    rotationId: attemptId,
  };
  const secret = findSecret(data, inputs.secretPath);
  if (secret !== undefined) return { ...state, secret, rotationState: "rotated" };
  const isEmpty = data === undefined || data === null;
  const setPath =
    'The answer is in the secret output "data": set secretPath to the path of the secret in it; that does not rotate again.';
  ctx.log.warn(
    `${identityOf(webhook, inputs)}: rotated, but no secret was found in the answer` +
      (isEmpty ? ", which is empty. Look it up on the server." : `. ${adviceOn(data, setPath)}`),
  );
  if (isEmpty) return { ...state, rotationState: "unread" };
  return { ...state, rotationState: "unread", data: containsEngineMark(data) ? { text: JSON.stringify(data) } : data };
}

/**
 * Sends a rotation, unless one of the same webhook became uncertain in this run: an error hook, another resource or another provider
 * may ask again before anybody has read the warning.
 *
 * @param before the state so far
 */
async function rotateOnce(ctx: Context, inputs: Inputs, before: State): Promise<Answer> {
  if (ctx.unsaved !== undefined) throw new Error(`${identityOf(webhook, inputs)}: ${unsavedRotation[ctx.unsaved]}`);
  const uncertain = (id: string | undefined): State => {
    const { rotationId, ...state } = before;
    return { ...state, rotationState: "uncertain", ...(id && { rotationId: id }) };
  };
  const keys = keysIn(ctx, webhook, inputs);
  const { providers } = ctx.run.notes();
  const lost = keys.find((key) => providers.has(lostRotation(key)));
  if (lost !== undefined) {
    const message =
      "a rotation earlier in this run may have been carried out, so nothing was sent. " +
      "Run `pulumi up` again: it rotates once more.";
    throw new LostAnswerError(`${identityOf(webhook, inputs)}: ${message}`, uncertain(attemptIn(providers, lost)));
  }
  try {
    return await rotateWebhookSecret(ctx.api, inputs.webhookId, before.rotationId ?? null);
  } catch (error) {
    if (!(error instanceof Error) || outcomeOf(error) !== "unknown") throw error;
    const id = attemptOf(error);
    for (const key of keys) {
      if (id !== undefined) ctx.run.note(lostRotation(key, id));
      ctx.run.note(lostRotation(key));
    }
    throw new LostAnswerError(error.message, uncertain(id));
  }
}

const lostRotation = (key: string, id?: string): string =>
  `uncertain rotation${id === undefined ? "" : ` ${id}`}: ${key}`;

/** The id of the attempt whose answer was lost; undefined where none is known. Only looked for where there is one: a run may have very many notes. */
function attemptIn(notes: ReadonlySet<string>, key: string): string | undefined {
  const attempts = [...notes].map((note) => /^uncertain rotation (\S+): (.*)$/s.exec(note));
  return attempts.find((found) => found?.[2] === key)?.[1];
}

/** The state after an update that does not rotate. */
export function withoutRotation(inputs: Inputs, old?: State): State {
  if (!old) return adopted(inputs);
  const { triggers, __due, ...rest } = withLearnedSecret(old, inputs);
  return { ...rest, ...declared(inputs) };
}

/** The state of a webhook that this resource never rotated. */
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
 * The state with a secret that the inputs reveal without a rotation; the same object if they reveal none. Nothing is discarded: a
 * secret stays when `initialSecret` is removed, and the answer stays for another `secretPath`, because the first may be wrong.
 */
export function withLearnedSecret(state: State, inputs: Inputs): State {
  const isAdopted = state.rotationState === "adopted";
  const secret = isAdopted ? inputs.initialSecret : findSecret(state.data, inputs.secretPath);
  if (secret === undefined || secret === state.secret) return state;
  return { ...state, secret, rotationState: isAdopted ? "adopted" : "rotated" };
}

/** What to do about an answer in which no secret was found. No path leads into text and bytes. */
export function adviceOn(data: unknown, ifPath: string): string {
  const keys = typeof data === "object" && data !== null ? Object.keys(data) : [];
  if (keys.some((key) => key !== "base64" && key !== "encoding")) return ifPath;
  return 'The answer is in the secret output "data", as text or base64: read the secret there, or change triggers to rotate it again.';
}

/** The members in which similar servers return a new secret, the most specific first. */
const secretNames = ["signing_secret", "signingSecret", "new_secret", "newSecret", "secret", "key"];

/** For `data` itself and the member `key`, where a word such as "rotated", a name, a page or JSON is not a secret. */
const looksRandom = /^(?![<{["])[\x21-\x7e]{16,512}$/;

/** A placeholder that servers show instead of a secret. */
const isMasked = /\*{3}|^(.)\1*$|(\.\.\.|\u2026)$/;

/**
 * The secret in an answer's `data`, whose shape the interface does not define: at `path` if given (keys joined by dots); otherwise
 * `data` itself if it is a string; otherwise the first known name in it or in its member "webhook". Undefined if there is none.
 */
export function findSecret(data: unknown, path?: string): string | undefined {
  if (path !== undefined) return textOf(path.split(".").reduce(member, data));
  const places = [data, member(data, "webhook")];
  const named = secretNames.flatMap((name) => places.map((place) => candidate(name, member(place, name))));
  return [candidate("key", data), ...named].find((found) => found !== undefined);
}

function candidate(name: string, value: unknown): string | undefined {
  const found = textOf(value);
  if (found === undefined || isMasked.test(found)) return undefined;
  return name === "key" && !looksRandom.test(found) ? undefined : found;
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  // U+FFFD replaces bytes that could not be decoded. The other text is the engine's mark of an unknown value.
  return value.includes("\uFFFD") || value === unknownValue ? undefined : value;
}
