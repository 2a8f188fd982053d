/** When a webhook's secret is rotated, the one request that rotates it, and the state that follows. */
import { containsEngineMark, containsUnknown, unknownValue } from "../../values/engine.js";
import { rotateWebhookSecret } from "../../client/operations.js";
import { objectText, sameValues, keysHere } from "../../lifecycle/object.js";
import { keepStateIfLost, LostAnswerError } from "../../lifecycle/lost-answer.js";
import type { Context } from "../../lifecycle/context.js";
import { warning, errorOf, problem, withCode, type Diagnostic } from "../../values/diagnostic.js";
import { secretProperties } from "../../schema/documentation.js";
import { isDue } from "../../lifecycle/schedule.js";
import { newRequestId, requestFrom } from "../../lifecycle/pending.js";
import {
  canBeSecret,
  webhook,
  webhookSecretArgs,
  webhookSecretOutputs,
  type WebhookSecretInputs as Inputs,
  type WebhookSecretState as State,
} from "./arguments.js";
import { isUncertain } from "./readers.js";

export const webhookMembers = {
  mark: { rotationState: "uncertain" },
  secrets: [...secretProperties(webhookSecretArgs), ...secretProperties(webhookSecretOutputs)],
} as const;

/** Whether these inputs ask for a rotation. Uses neither clock nor network. */
export function asksToRotate(state: Partial<State>, inputs: Inputs): boolean {
  if (isUncertain(state)) return !endsDoubt(state, inputs);
  return !sameValues(state, inputs, ["triggers"]) || isDue(state, inputs);
}

/**
 * Whether the user has given another `initialSecret` since the rotation that is in doubt, and asks for no other rotation. Triggers or a date that
 * the state does not have ask for one, even if they are what a killed run has sent: its inputs are not known.
 */
function endsDoubt(state: Partial<State>, inputs: Inputs): boolean {
  if (inputs.__newSecret !== true || state.__newSecret === true) return false;
  return sameValues(state, inputs, ["triggers"]) && (inputs.__due ?? "") <= (state.__due ?? "");
}

/** Why nothing may be rotated where the state is not saved at once, which would have the only copy of the new secret. */
const unsavedRotation = {
  checkpoints:
    "a rotation is refused while PULUMI_SKIP_CHECKPOINTS is set: the state is saved only when the run ends, so the new secret " +
    "would be lost if the run died. Unset the variable and run the update again.",
  stateless:
    "a rotation is refused in `pulumi do --stateless`, which keeps no state, so the new secret would be lost: leave out --stateless, " +
    "or declare the webhook in a program",
};

/**
 * Refuses at preview what `rotateOnce` would refuse, except a rotation after a lost answer, of which only the state knows.
 *
 * @param olds empty for a create
 */
export function unsavedRotationProblems(ctx: Context, olds: Partial<Inputs>, inputs: Inputs): Diagnostic[] {
  if (ctx.unsaved === undefined) return [];
  // Triggers that are unknown in a preview may be what they were.
  const rotates =
    olds.webhookId === undefined
      ? inputs.onCreate !== "adopt"
      : asksToRotate(olds, inputs) && !containsUnknown(inputs.triggers);
  return rotates ? [problem("rotation-unsaved", unsavedRotation[ctx.unsaved])] : [];
}

/** @param old of the same webhook */
export async function rotate(ctx: Context, inputs: Inputs, old?: State): Promise<State> {
  const before = old ? withLearnedSecret(old, inputs) : adopted(inputs);
  const { requestId, data } = await rotateOnce(ctx, inputs, before, old);
  const secret = findSecret(data, inputs.secretPath);
  const isUnchanged = secret !== undefined && secret === before.secret;
  const previousSecret = isUnchanged ? before.previousSecret : (before.secret ?? before.previousSecret);
  const state = {
    ...storedInputs(inputs),
    ...(previousSecret !== undefined && { previousSecret }),
    rotatedAt: ctx.now().toISOString(),
    rotationCount: before.rotationCount + 1,
    requestId,
  };
  const isEmpty = data === undefined || data === null;
  // The engine would misread a part of it.
  const answer = isEmpty ? {} : { data: containsEngineMark(data) ? { text: JSON.stringify(data) } : data };
  if (secret !== undefined)
    return { ...state, ...answer, secret, rotationState: isUnchanged ? "unchanged" : "rotated" };
  const setPath =
    'The answer is in the secret output "data": set secretPath to the path of the secret in it; that does not rotate again.';
  const advice = isEmpty ? ", which is empty. Look it up on the server." : `. ${pathAdvice(data, setPath)}`;
  const text = `${objectText(webhook, inputs)}: rotated, but no secret was found in the answer${advice}`;
  ctx.log.warn(warning("secret-unread", text));
  return { ...state, ...answer, rotationState: "unread" };
}

/**
 * Sends a rotation, unless one of the same webhook became uncertain in this run: an error hook, another resource or another provider
 * may ask again before anybody has read the warning.
 *
 * @param before the state so far
 */
async function rotateOnce(ctx: Context, inputs: Inputs, before: State, old: State | undefined) {
  if (ctx.unsaved !== undefined) {
    const text = `${objectText(webhook, inputs)}: ${unsavedRotation[ctx.unsaved]}`;
    throw errorOf("rotation-unsaved", text);
  }
  const keys = keysHere(ctx, webhook, inputs);
  const { providers } = ctx.run.notes();
  const { requestId, ctx: requestCtx } = requestFrom(ctx, webhookMembers, old);
  const { triggers, __due, __newSecret, ...known } = before;
  const isNew = inputs.__newSecret === true && old !== undefined;
  const uncertain: State = {
    ...known,
    ...storedInputs(inputs),
    ...(isNew && { __newSecret: true }),
    rotationState: "uncertain",
    requestId,
  };
  if (keys.some((key) => providers.has("uncertain rotation", key))) {
    const message =
      `${objectText(webhook, inputs)}: a rotation earlier in this run may have been carried out, so nothing was sent. ` +
      "Run `pulumi up` again: it rotates once more.";
    throw new LostAnswerError(withCode(message, "rotation-unknown"), uncertain);
  }
  try {
    const data = await keepStateIfLost(() => rotateWebhookSecret(requestCtx.api, inputs.webhookId), uncertain);
    return { requestId, data };
  } catch (error) {
    if (error instanceof LostAnswerError) for (const key of keys) ctx.run.note({ says: "uncertain rotation", key });
    throw error;
  }
}

/** The state after an update that does not rotate. */
export function withoutRotation(inputs: Inputs, old?: State): State {
  if (!old) return adopted(inputs);
  const learned = withLearnedSecret(old, inputs);
  const known = isUncertain(old) && endsDoubt(old, inputs) ? withGivenSecret(learned, inputs) : learned;
  const { triggers, __due, ...rest } = known;
  return { ...rest, ...storedInputs(inputs) };
}

/** The state whose doubt a given secret ends. The one before it may still be in use. */
function withGivenSecret({ secret, ...state }: State, { initialSecret }: Inputs): State {
  const previousSecret = secret === initialSecret ? undefined : secret;
  return {
    ...state,
    ...(previousSecret !== undefined && { previousSecret }),
    ...(initialSecret !== undefined && { secret: initialSecret }),
    rotationState: "adopted",
    requestId: newRequestId(),
  };
}

/** The state of a webhook that this resource never rotated. */
export function adopted(inputs: Inputs): State {
  const { initialSecret: secret } = inputs;
  const state: State = { ...storedInputs(inputs), rotationCount: 0, rotationState: "adopted" };
  return secret === undefined ? state : { ...state, secret };
}

/** The inputs that the state keeps. */
function storedInputs({ organization, webhookId, triggers, __due }: Inputs) {
  return { organization, webhookId, ...(triggers && { triggers }), ...(__due && { __due }) };
}

/**
 * The state with a secret that the inputs reveal without a rotation; the same object if they reveal none. Nothing is discarded: a
 * secret stays when `initialSecret` is removed, and the answer stays for another `secretPath`, because the first may be wrong. A new
 * secret comes with a new `requestId`, by which outputs are compared with states.
 */
export function withLearnedSecret(state: State, inputs: Inputs): State {
  const isAdopted = state.rotationState === "adopted";
  const secret = isAdopted ? inputs.initialSecret : findSecret(state.data, inputs.secretPath);
  if (secret === undefined || secret === state.secret) return state;
  const learned = { ...state, secret, requestId: newRequestId() };
  if (isAdopted) return learned;
  const previousSecret = state.rotationState === "unchanged" ? state.secret : state.previousSecret;
  return {
    ...learned,
    ...(previousSecret !== undefined && { previousSecret }),
    rotationState: secret === previousSecret ? "unchanged" : "rotated",
  };
}

/** What to do about an answer in which no secret was found. No path leads into text and bytes. */
export function pathAdvice(data: unknown, ifPath: string): string {
  const keys = typeof data === "object" && data !== null ? Object.keys(data) : [];
  if (keys.some((key) => key !== "base64" && key !== "encoding")) return ifPath;
  return 'The answer is in the secret output "data", as text or base64: read the secret there, or change triggers to rotate it again.';
}

/** What servers call a new secret, the most specific first. */
const secretNames = ["signing_secret", "signingSecret", "new_secret", "newSecret", "secret"];

/**
 * The secret in an answer's `data`, whose shape the interface does not define: at `path` if given (keys joined by dots); otherwise the first
 * member that is called a secret, in it or in its member "webhook". Undefined if there is none: a wrong one would reach receivers.
 */
export function findSecret(data: unknown, path?: string): string | undefined {
  if (path !== undefined) return secretIn(path.split(".").reduce(member, data));
  const places = [data, member(data, "webhook")];
  const named = secretNames.flatMap((name) => places.map((place) => secretIn(member(place, name))));
  return named.find((found) => found !== undefined);
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** Undefined too for the engine's mark of an unknown value. */
const secretIn = (value: unknown): string | undefined =>
  typeof value === "string" && canBeSecret(value) && value !== unknownValue ? value : undefined;
