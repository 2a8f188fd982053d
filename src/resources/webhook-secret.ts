/** WebhookSecret: a webhook's signing secret, rotated when the program says so and never otherwise. */
import { containsEngineMark } from "../values.js";
import * as z from "zod";
import { outcomeOf } from "../client/errors.js";
import { listWebhooks, rotateWebhookSecret } from "../client/operations.js";
import { sameValues, identityOf, logStored, keepStateIfLost, UncertainError, warn, type Context, type Lifecycle, type OrganizationScoped, type Problem, type EngineRun } from "./lifecycle.js";
import { problemsOf } from "./problems.js";
import { advance, doubtOf, isDue, isoDate, isPeriodOver, type Due } from "./schedule.js";
import * as fields from "./fields.js";
import { documented, secretsOf, typeNamed, type ResourceDocs } from "./documentation.js";
import { findSecret } from "./find-secret.js";
import { objectKeys } from "./rules.js";
import { isNamed, readWebhookList } from "./webhook-list.js";

export const webhookSecretArgs = z.strictObject({
  webhookId: documented(
    fields.id,
    "The webhook's id, as the platform shows it. Another id is another webhook, whose secret is rotated as well.",
  ),
  triggers: documented(
    fields.triggers,
    "Values of your choice: any change rotates the signing secret, in place; the preview shows the change. Default: none. Risk: " +
      "the old secret may stop working at once.",
  ).optional(),
  rotateAfter: documented(
    fields.wholeDays,
    "Rotates the signing secret at the first update after each such time since the last rotation; the preview shows the date as " +
      "`rotateOn`. Default: never. Risk: the old secret may stop working at once.",
  ).optional(),
  rotateOnCreate: documented(
    fields.flag,
    "Whether the first update rotates the signing secret; `false` takes the webhook over as it is. Default: `true`, because only " +
      "a rotation shows the secret. Required with an initial secret.",
  ).optional(),
  initialSecret: documented(
    fields.secretText,
    "A secret that is known already. With `rotateOnCreate: false` it is `secret` until the first rotation, with `true` it " +
      "becomes `previousSecret`. Removed later, it stays `secret`. Default: not known.",
    { secret: true },
  ).optional(),
  secretPath: documented(
    fields.secretPath,
    "Where the new secret is in the data of the server's answer. Default: the usual places, such as `signing_secret` or `secret`. " +
      "Set later, it takes the secret from an answer in which none was found, without rotating.",
  ).optional(),
});
type Args = z.infer<typeof webhookSecretArgs>;

const rotationState = typeNamed(
  z.enum(["rotated", "adopted", "unread", "uncertain"]),
  "RotationState",
  [
    "How much is known of the current secret:\n",
    "- `rotated`: `secret` is from the answer to the last rotation.",
    "- `adopted`: not rotated by this resource yet; `secret` is the `initialSecret`, if one was given.",
    "- `unread`: rotated, but no secret was found in the answer; the answer is in `data`.",
    "- `uncertain`: the answer to a rotation was lost; `secret` is the last known one and may no longer work. The next " +
      "update rotates once more.",
  ].join("\n"),
);

export const webhookSecretOutputs = z.object({
  webhookId: documented(fields.id, "The webhook's id."),
  secret: documented(
    z.string(),
    "The signing secret as it is known: `rotationState` says how well. Not set where it never was.",
    { secret: true },
  ).exactOptional(),
  previousSecret: documented(z.string(), "The last secret that was known before it; not set where there was none.", {
    secret: true,
  }).exactOptional(),
  rotatedAt: documented(
    z.string(),
    "When the last confirmed rotation was answered, ISO 8601 in UTC; not set before the first.",
  ).exactOptional(),
  rotationCount: documented(z.int(), "Rotations by this resource whose answer arrived."),
  rotationState: documented(rotationState, "How well `secret` is known."),
  // `{ text }` with its JSON where the engine would misread a part of it.
  data: documented(
    z.unknown(),
    "The answer in which no secret was found, to look up `secretPath` in; until the next rotation, else not set.",
    {
      secret: true,
    },
  ).optional(),
  account: fields.account,
});

export const webhookSecretDocs: ResourceDocs<Args> = {
  category: "Webhooks",
  summary:
    "A webhook's signing secret, rotated when the program says so and never otherwise. On many servers the old secret stops " +
    "working at once: give both `secret` and `previousSecret` to the receiver.",
  verbs: {
    create: "`POST /v1/webhooks/{webhook_id}/rotate-secret`; nothing with `rotateOnCreate: false`.",
    update:
      "the same POST for any change of `triggers`, a due `rotateAfter`, or after a rotation whose answer was lost; never for " +
      "anything else. If only a date is due, `GET /v1/webhooks/` comes first, once a run, for the server's time. A rotation is " +
      'never sent twice on a guess: a lost answer is recorded as the `RotationState` `"uncertain"`, and the next update rotates ' +
      "once more.",
    read: "`GET /v1/webhooks/`, once a run, for an import too; a webhook that is not in the list stays in the state, with a warning.",
    delete: "nothing; the webhook keeps its secret.",
  },
  errors:
    "403 where the token lacks the scope `webhooks:write`; 404 for a webhook that does not exist. After a 5xx, a timeout or a " +
    "broken connection the rotation is uncertain. Moving to another organization is refused at preview, because it would rotate.",
  example: {
    name: "crm",
    args: {
      webhookId: "c0000000-0000-4000-8000-000000000001",
      rotateAfter: "90d",
      triggers: { quarter: "2026-Q4" },
    },
    exports: { current: "secret", previous: "previousSecret" },
  },
};

export type WebhookSecretInputs = Args & OrganizationScoped & Due & { rotateOn?: string };
export type WebhookSecretState = OrganizationScoped &
  Due &
  Pick<Args, "triggers"> &
  z.infer<typeof webhookSecretOutputs>;

type Inputs = WebhookSecretInputs;
type State = WebhookSecretState;

export const webhookSecret: Lifecycle<Inputs, State> = {
  type: "WebhookSecret",
  identity: "webhookId",
  date: "rotateOn",
  secrets: [...secretsOf(webhookSecretArgs), ...secretsOf(webhookSecretOutputs)],
  answered: ["secret", "rotatedAt", "rotationState", "data"],

  check(ctx, olds, news) {
    const problems = problemsOf(webhookSecretArgs, news, "WebhookSecret");
    const args = news as Args;
    const inputs: Inputs = { ...args, account: ctx.account, ...rotationSchedule(ctx, olds, args) };
    // A rotation uses the changed inputs.
    if (!isDue(olds, inputs) && sameValues(olds, inputs, ["triggers"])) {
      logStored(ctx, webhookSecret, olds, inputs, ["secretPath", "rotateAfter", "rotateOnCreate"]);
    }
    return { inputs, problems: [...problems, ...ambiguity(args), ...movedAccount(olds, inputs)] };
  },

  diff(ctx, state, inputs) {
    const name = identityOf(webhookSecret, state);
    noteDeclared(ctx, state, inputs);
    if (state.rotationState === "uncertain") {
      // The engine asks in a preview and in the update alike.
      ctx.log.warn(
        `${name}: the answer to its last rotation was lost, so its secret is not known for sure: the update rotates it once more.`,
      );
    }
    const changes = mustRotate(state, inputs) || withLearnedSecret(state, inputs) !== state;
    if (state.rotationState === "unread" && !changes) {
      ctx.log.warn(
        `${name}: its secret is not known, as none was found in the answer to its last rotation. ` +
          (state.data === undefined
            ? "Change triggers to rotate it again."
            : 'Set secretPath to its place in the secret output "data", or change triggers to rotate it again.'),
      );
    }
    return { changes };
  },

  async create(ctx, inputs) {
    const known = knownIn(ctx, inputs);
    // Two webhooks whose ids a preview does not know are not one.
    const old = known?.is === "made" ? undefined : known;
    const isRequested = async () => old?.inputs !== undefined && (await isRotationDue(ctx, old.state, old.inputs));
    const rotates = inputs.rotateOnCreate !== false || (await isRequested());
    return noteDeclared(ctx, rotates ? await rotate(ctx, inputs, old?.state) : taken(inputs, old?.state));
  },

  async read(ctx, state) {
    const doubt = await whyNotListed(ctx, state.webhookId);
    if (doubt !== undefined) warn(ctx, webhookSecret, state, doubt);
    return state;
  },

  async import(ctx, webhookId) {
    const inputs = { webhookId, rotateOnCreate: false };
    const list = readWebhookList(await listed(ctx));
    if (list?.some((webhook) => isNamed(webhook, webhookId))) {
      return { inputs, state: adopted({ ...inputs, account: ctx.account }) };
    }
    throw new Error(
      `${identityOf(webhookSecret, { webhookId, account: ctx.account })}: is not in the server's list of webhooks. Check the id. ` +
        "If the list is only a part, declare it with rotateOnCreate: false instead: that sends nothing.",
    );
  },

  async update(ctx, state, inputs) {
    const rotates = await isRotationDue(ctx, state, inputs);
    return noteDeclared(ctx, rotates ? await rotate(ctx, inputs, state) : taken(inputs, state));
  },

  remember(ctx, state) {
    if (!knownIn(ctx, state)) setKnown(ctx, { is: "old", state });
  },

  /** The engine does not hand the old state to a create, so a webhook that was adopted and rotated later would lose its secret. */
  replaced(ctx, old) {
    if ((old.secret === undefined && old.data === undefined) || isKept(ctx, old)) return;
    throw new Error(
      `${identityOf(webhookSecret, old)}: the program declares this webhook anew, without the secret that the state has of it. So the ` +
        "old row of the state is kept, as it may have the only copy. Read the secret there with `pulumi stack export " +
        "--show-secrets`, write initialSecret with it and rotateOnCreate: false, and run `pulumi up` again. Or change triggers, " +
        "which rotates.",
    );
  },

  async delete(ctx, state) {
    warn(ctx, webhookSecret, state, "keeps its secret. Nothing was sent.");
    return Promise.resolve();
  },
};

/** What this run knows of a webhook, in this process alone: it holds secrets. */
interface Known {
  /** Whether a create or an update of this run made the state, whether a diff compared it, or whether it is of a row that goes. */
  readonly is: "made" | "compared" | "old";
  readonly state: State;
  /** What the program wants of a state that was compared. The engine may then replace the resource, and create knows neither. */
  readonly inputs?: Inputs | undefined;
}

const known = new WeakMap<EngineRun, Map<string, Known>>();

const keyOf = ({ account, webhookId }: Inputs | State): string => JSON.stringify([account, fields.idKey(webhookId)]);

function knownIn({ run }: Context, values: Inputs | State): Known | undefined {
  return known.get(run)?.get(keyOf(values));
}

function setKnown({ run }: Context, entry: Known): void {
  known.set(run, (known.get(run) ?? new Map<string, Known>()).set(keyOf(entry.state), entry));
}

/** Also notes, for other processes, that the declared resource has the secret. */
function noteDeclared(ctx: Context, state: State, inputs?: Inputs): State {
  setKnown(ctx, { is: inputs ? "compared" : "made", state, inputs });
  if (isConfirmed(state) || (state.rotationState === "adopted" && state.secret !== undefined)) {
    for (const key of keysOf(ctx, state)) ctx.run.note(secretKnown(key));
  }
  return state;
}

const secretKnown = (key: string): string => `secret known: ${key}`;
const uncertainRotation = (key: string): string => `uncertain rotation: ${key}`;

/** In notes, which other providers read: also by the address. */
function keysOf({ address }: Context, { webhookId, account }: Inputs | State): string[] {
  return objectKeys(webhookSecret, webhookId, { account, address });
}

/** Whether the secret, or the answer that has it, is that of a rotation. */
function isConfirmed({ rotationState }: State): boolean {
  return rotationState === "rotated" || rotationState === "unread";
}

/** Whether the declared resource has what the old state knows, or a later secret. */
function isKept(ctx: Context, old: State): boolean {
  const entry = knownIn(ctx, old);
  if (!entry || entry.is === "old") {
    const { providers } = ctx.run.notes();
    return keysOf(ctx, old).some((key) => providers.has(secretKnown(key)));
  }
  const declared = entry.state;
  if (isConfirmed(declared)) return true;
  if (declared.secret === undefined) return false;
  // Both are what the program says.
  const isDeclared = declared.rotationState === "adopted" && old.rotationState === "adopted";
  return isDeclared || declared.secret === old.secret;
}

const lists = new WeakMap<EngineRun, Promise<unknown>>();

/** The answer to one request for all webhooks of a run. */
function listed({ api, run }: Context): Promise<unknown> {
  const list = lists.get(run) ?? listWebhooks(api);
  lists.set(run, list);
  return list;
}

/**
 * Why the webhook may be gone; undefined if it is in the list. It stays in the state all the same: a list may be empty or cut for many
 * reasons, the state may have the only copy of the secret, and a webhook that is declared again would be rotated.
 */
async function whyNotListed(ctx: Context, webhookId: string): Promise<string | undefined> {
  try {
    const list = readWebhookList(await listed(ctx));
    if (!list) return "no list was found in the server's answer, so the state is kept as it is.";
    if (list.some((webhook) => isNamed(webhook, webhookId))) return undefined;
    return (
      "is not in the server's list of webhooks. The state is kept, as it may have the only copy of the secret. " +
      "If the webhook is gone, remove it from the program, or from the state with `pulumi state delete URN`."
    );
  } catch (error) {
    if (!(error instanceof Error) || outcomeOf(error) !== "refused") throw error;
    return `the list of webhooks was refused (${error.message}), so the state is kept as it is.`;
  }
}

/** Whether an update from this state rotates. */
async function isRotationDue(ctx: Context, state: State, inputs: Inputs): Promise<boolean> {
  if (!mustRotate(state, inputs)) return false;
  const isDueAlone = state.rotationState !== "uncertain" && sameValues(state, inputs, ["triggers"]);
  return !isDueAlone || isReallyDue(ctx, state, inputs);
}

/** If two clocks differ by more, one of them is wrong. Milliseconds. */
const clockTolerance = 3_600_000;

/**
 * Whether a date that has come by this machine's clock has also come by the server's. Without a date in the server's answer,
 * this machine's clock decides.
 *
 * @returns false where a clock that was behind computed the date: it is skipped, and the next one counts
 * @throws Error where the date has not come by the server's clock: the update fails, and the date stays
 */
async function isReallyDue(ctx: Context, state: State, inputs: Inputs): Promise<boolean> {
  if (!ctx.api.serverTime) return true;
  const due = inputs.__due ?? "";
  const now = await serverTime(ctx);
  if (!now) {
    const message = "the server's answer has no date, so this machine's clock alone says that the rotation is due.";
    warn(ctx, webhookSecret, inputs, message);
    return true;
  }
  if (isoDate(new Date(now.getTime() + clockTolerance)) < due) {
    throw new Error(
      `${identityOf(webhookSecret, inputs)}: nothing was rotated: the rotation is due on ${due}, and by the server's clock ` +
        `it is ${isoDate(now)}. This machine's clock says ${isoDate(ctx.now())}: correct it and run the update again.`,
    );
  }
  if (state.rotatedAt === undefined || isPeriodOver(state.rotatedAt, inputs.rotateAfter ?? "1d", now)) return true;
  const message =
    `nothing was rotated: the last rotation was at ${state.rotatedAt}, less than ${String(inputs.rotateAfter)} ago, so a clock ` +
    `that was behind computed the date ${due}. The next one is ${String(inputs.rotateOn)}.`;
  warn(ctx, webhookSecret, inputs, message);
  return false;
}

/** From any answer, also a refusal. */
async function serverTime(ctx: Context): Promise<Date | undefined> {
  try {
    await listed(ctx);
  } catch (error) {
    if (outcomeOf(error) !== "refused") throw error;
  }
  return ctx.api.serverTime?.();
}

async function rotate(ctx: Context, inputs: Inputs, old?: State): Promise<State> {
  const known = old ? withLearnedSecret(old, inputs) : adopted(inputs);
  const data = await rotateOnce(ctx, inputs, { ...known, rotationState: "uncertain" });
  const previousSecret = known.secret ?? known.previousSecret;
  const state = {
    ...identity(inputs),
    ...(previousSecret !== undefined && { previousSecret }),
    rotatedAt: timeOf(ctx).toISOString(),
    rotationCount: known.rotationCount + 1,
  };
  const secret = findSecret(data, inputs.secretPath);
  if (secret !== undefined) return { ...state, secret, rotationState: "rotated" };
  ctx.log.warn(
    `${identityOf(webhookSecret, inputs)}: rotated, but no secret was found in the answer` +
      (data === undefined || data === null
        ? ", which holds nothing. Look for it where the server shows it."
        : '. It is kept in the secret output "data": set secretPath to the place of the secret in it; that rotates nothing.'),
  );
  const kept = containsEngineMark(data) ? { text: JSON.stringify(data) } : data;
  return { ...state, rotationState: "unread", ...(kept !== undefined && kept !== null && { data: kept }) };
}

/**
 * Sends a rotation, unless one of the same webhook became uncertain in this run: an error hook, another resource or another provider
 * may ask again before the program's author knows.
 */
async function rotateOnce(ctx: Context, inputs: Inputs, uncertain: State): Promise<unknown> {
  const notes = keysOf(ctx, inputs).map(uncertainRotation);
  const { providers } = ctx.run.notes();
  if (notes.some((note) => providers.has(note))) {
    const message =
      "the answer to a rotation was lost earlier in this run, and that one may have been carried out, so nothing was sent. " +
      "Run `pulumi up` again: it rotates once more.";
    throw new UncertainError(`${identityOf(webhookSecret, inputs)}: ${message}`, uncertain);
  }
  try {
    return await keepStateIfLost(() => rotateWebhookSecret(ctx.api, inputs.webhookId), uncertain);
  } catch (error) {
    if (error instanceof UncertainError) for (const note of notes) ctx.run.note(note);
    throw error;
  }
}

/** The state without a rotation, with all that was known before. */
function taken(inputs: Inputs, old?: State): State {
  if (!old) return adopted(inputs);
  const { triggers, __due, ...rest } = withLearnedSecret(old, inputs);
  return { ...rest, ...identity(inputs) };
}

function identity({ account, webhookId, triggers, __due }: Inputs) {
  return { account, webhookId, ...(triggers && { triggers }), ...(__due && { __due }) };
}

function adopted(inputs: Inputs): State {
  const { initialSecret } = inputs;
  return {
    ...identity(inputs),
    ...(initialSecret !== undefined && { secret: initialSecret }),
    rotationCount: 0,
    rotationState: "adopted",
  };
}

/** This machine's time, or the server's where the two differ: later dates are computed from it. */
function timeOf(ctx: Context): Date {
  const [here, there] = [ctx.now(), ctx.api.serverTime?.()];
  return there && Math.abs(there.getTime() - here.getTime()) > clockTolerance ? there : here;
}

function mustRotate(state: State, inputs: Inputs): boolean {
  return state.rotationState === "uncertain" || !sameValues(state, inputs, ["triggers"]) || isDue(state, inputs);
}

/**
 * The state with a secret that the inputs reveal without a rotation; the same object where they reveal nothing new. Nothing is thrown
 * away: a secret stays when `initialSecret` is removed, and the answer stays for another `secretPath`, as the first may be wrong.
 */
function withLearnedSecret(state: State, inputs: Inputs): State {
  const isAdopted = state.rotationState === "adopted";
  const secret = isAdopted ? inputs.initialSecret : findSecret(state.data, inputs.secretPath);
  if (secret === undefined || secret === state.secret) return state;
  return { ...state, secret, rotationState: isAdopted ? "adopted" : "rotated" };
}

function rotationSchedule(ctx: Context, olds: Partial<Inputs>, args: Args) {
  // A rotation for another reason begins the period again.
  const restart = !sameValues(olds, args, ["triggers"]);
  const old = { after: olds.rotateAfter, on: olds.rotateOn, due: olds.__due };
  const { on, due, inDoubt } = advance(old, args.rotateAfter, ctx.now(), restart);
  if (inDoubt) warn(ctx, webhookSecret, args, doubtOf("rotateOn", "rotateAfter", on, ctx.now()));
  return { ...(on && { rotateOn: on }), ...(due && { __due: due }) };
}

/** With an initialSecret, the user has to say whether creating keeps it or rotates it. */
function ambiguity({ rotateOnCreate, initialSecret }: Args): Problem[] {
  if (initialSecret === undefined || rotateOnCreate !== undefined) return [];
  const reason =
    "goes with rotateOnCreate: false keeps that secret in use, true rotates at once and keeps it as previousSecret";
  return [{ property: "initialSecret", reason }];
}

/** Another account would be another webhook, and the replacement would rotate: refused, because it is rarely intended. */
function movedAccount(olds: Partial<Inputs>, inputs: Inputs): Problem[] {
  if (olds.account === undefined || olds.account === inputs.account || olds.webhookId !== inputs.webhookId) return [];
  const reason =
    `belongs to the organization ${olds.account}, and this provider talks to ${inputs.account}. If only the address ` +
    `moved, keep the name with \`pulumi config set voiceplane:account ${olds.account}\`. If another organization is ` +
    `meant, declare a new resource with a new name and remove this one`;
  return [{ property: "webhookId", reason }];
}
