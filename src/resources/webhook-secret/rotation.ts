/** When a webhook's secret is rotated, the one request that rotates it, and the state that follows. */
import { warnOfObject, type Context } from "../../lifecycle/context.js";
import { keepStateIfLost, LostAnswerError } from "../../lifecycle/lost-answer.js";
import { keyOf, newRequestId, objectText, sameValues } from "../../lifecycle/object.js";
import { addDays, daysOf, isDue, isOver, isPeriod } from "../../lifecycle/schedule.js";
import { isObject } from "../../values/any.js";
import { withCode } from "../../values/diagnostic.js";
import { containsEngineMark, unknownValue } from "../../values/engine.js";
import {
  isPrintable,
  webhook,
  type WebhookSecretInputs as Inputs,
  type WebhookSecretState as State,
} from "./arguments.js";
import { isUncertain } from "./readers.js";

/** Whether these inputs ask for a rotation. */
export const asksToRotate = (state: State, inputs: Inputs, now: Date): boolean =>
  isUncertain(state) || !sameValues(state, inputs, ["triggers"]) || isAged(state, inputs, now);

/** Whether the secret is too old: by the date that check has computed, or by a period that a policy has given since. */
function isAged(state: State, inputs: Inputs, now: Date): boolean {
  const { rotateAfter, rotateOn, __period: checked } = inputs;
  const adoptedOn = rotateOn && checked && isPeriod(checked) ? addDays(rotateOn, -daysOf(checked)) : undefined;
  const since = state.rotatedAt ?? adoptedOn;
  if (rotateAfter === checked || since === undefined || !isPeriod(rotateAfter ?? "")) return isDue(state, inputs);
  return isOver(since, rotateAfter ?? "", now);
}

/** @param old of the same webhook */
export async function rotate(ctx: Context, inputs: Inputs, old?: State): Promise<State> {
  const before = withInputs(old ? withLearnedSecret(old, inputs) : adopted(inputs), inputs);
  const requestId = newRequestId();
  const answer = await rotateOnce(ctx, inputs, { ...before, rotationState: "uncertain", requestId });
  // The engine would misread its own marks.
  const data = containsEngineMark(answer) ? undefined : (answer ?? undefined);
  const secret = findSecret(answer, inputs.secretPath);
  if (secret === undefined) {
    const advice = isObject(data) ? setPath : "look it up on the server, or change triggers to rotate it again";
    warnOfObject(ctx, webhook, inputs, "secret-unread", `rotated, but no secret was found in the answer: ${advice}.`);
  }
  const { organization, webhookId } = inputs;
  const { secret: known, previousSecret: older, rotationCount } = before;
  const previousSecret = known === undefined || known === secret ? older : known;
  const state: State = {
    organization,
    webhookId,
    ...(previousSecret !== undefined && { previousSecret }),
    ...(secret !== undefined && { secret }),
    ...(data !== undefined && { data }),
    rotationState: secret === undefined ? "unread" : "rotated",
    rotatedAt: new Date().toISOString(),
    rotationCount: rotationCount + 1,
    requestId,
  };
  return withInputs(state, inputs);
}

export const setPath =
  'the answer is in the secret output "data". Set secretPath to the path of the secret in it; that does not rotate again';

/**
 * Sends a rotation, unless one of the same webhook became uncertain in this run: an error hook of the engine may ask again before anybody has read
 * the warning.
 */
async function rotateOnce(ctx: Context, inputs: Inputs, uncertain: State): Promise<unknown> {
  const { run, api } = ctx;
  const key = keyOf(webhook, inputs);
  if (run.lost.has(key)) {
    const text =
      `${objectText(webhook, inputs)}: a rotation earlier in this run may have been carried out, so nothing was sent. ` +
      "Run the same update again: it rotates once more.";
    throw new LostAnswerError(withCode(text, "rotation-unknown"), uncertain);
  }
  try {
    return await keepStateIfLost(() => api.send("rotateWebhookSecret", { webhook_id: inputs.webhookId }), uncertain);
  } catch (error) {
    if (error instanceof LostAnswerError) run.lost.add(key);
    throw error;
  }
}

/** The state of a webhook that this resource never rotated. */
export function adopted(inputs: Inputs): State {
  const { organization, webhookId, initialSecret: secret } = inputs;
  const state: State = { organization, webhookId, rotationCount: 0, rotationState: "adopted" };
  return withInputs(secret === undefined ? state : { ...state, secret }, inputs);
}

/** The state after an update that does not rotate. */
export const withoutRotation = (state: State, inputs: Inputs): State =>
  withInputs(withLearnedSecret(state, inputs), inputs);

/** The state with the inputs that it keeps. */
function withInputs({ triggers: _triggers, __due: _due, ...state }: State, { triggers, __due }: Inputs): State {
  return { ...state, ...(triggers && { triggers }), ...(__due && { __due }) };
}

/**
 * The state with a secret that the inputs reveal without a rotation; the same object if they reveal none. Nothing is discarded: a secret stays when
 * `initialSecret` is removed, and the answer stays for another `secretPath`, because the first may be wrong. A new secret comes with a new
 * `requestId`, by which outputs are compared with states.
 */
export function withLearnedSecret(state: State, inputs: Inputs): State {
  const isAdopted = state.rotationState === "adopted";
  const secret = isAdopted ? inputs.initialSecret : findSecret(state.data, inputs.secretPath);
  if (secret === undefined || secret === state.secret) return state;
  return { ...state, secret, requestId: newRequestId(), rotationState: isAdopted ? "adopted" : "rotated" };
}

/**
 * The secret in an answer's `data`, whose shape the interface does not define: what is at `path` (keys joined by dots), which is believed; otherwise
 * what is called a secret, or the text that is all of the data. Undefined if there is none: a wrong one would reach receivers.
 */
export function findSecret(data: unknown, path?: string): string | undefined {
  if (path !== undefined) return [path.split(".").reduce(member, data)].find(isText);
  const bare = typeof data === "string" && data.length >= 12 ? data : undefined;
  return [member(data, "signing_secret"), member(data, "secret"), bare].filter(isText).find(isNoPlaceholder);
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** The mark of an unknown value is none. */
const isText = (value: unknown): value is string =>
  typeof value === "string" && isPrintable(value) && value !== unknownValue;

/** Servers show a secret in part (`whs_...1a2b`), or something in its place (`****`, `<redacted>`). */
const isNoPlaceholder = (text: string): boolean => !/\*{3}|\.{3}|^<.*>$|^\[.*\]$/.test(text);
