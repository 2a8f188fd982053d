/** Whose object it is: which organization has it, and whether the program still declares it. */
import { ConfigError, RequestError } from "../client/errors.js";
import { mayMeanUnknownId, type OperationName } from "../contract/index.js";
import { textOf, type Values } from "../values/any.js";
import { errorOf, problem, sentenceOf, warning, type Diagnostic } from "../values/diagnostic.js";
import { containsUnknown } from "../values/engine.js";
import { printable } from "../values/text.js";
import { silent, type Context } from "./context.js";
import { riskWarnings } from "./effects/effect.js";
import { retains } from "./effects/guards.js";
import type { Lifecycle } from "./lifecycle.js";
import { keyOf, newRequestId, objectName, objectText, type OrganizationScoped, type ResourceName } from "./object.js";
import type { Due } from "./schedule.js";

/**
 * The rules of all resources:
 *
 * - A run declares each object once. A change of `organization` or of the object's id is a replacement.
 * - A change of the address alone is an update that sends nothing: the preview shows the address of the next requests.
 * - read, update and delete act only if the state's organization is the provider's own.
 * - delete sends nothing for an object that the run declares: renamed, replaced, tainted or swapped.
 * - What check refuses is refused again before anything is sent: a policy may have changed the inputs since.
 */
export function withOwnership<Inputs extends OrganizationScoped, State extends OrganizationScoped>(
  lifecycle: Lifecycle<Inputs, State>,
): Lifecycle<Inputs, State> {
  /** Whether the object is another organization's. If so, it warns that nothing was sent. */
  const warnIfElsewhere = (ctx: Context, state: State, consequence: string): boolean => {
    if (state.organization === ctx.organization) return false;
    const text = `${objectText(lifecycle, state)}: this provider talks to ${ctx.organization}, so nothing was sent and ${consequence}.`;
    ctx.log.warn(warning("object-left", text));
    return true;
  };
  /** Adds the address and the `requestId`. Where nothing was sent, the id of the old state stays. */
  const stored = ({ run }: Context, state: State, { address }: Inputs, old?: State): State => {
    const requestId = state.requestId ?? (old && !lifecycle.isUncertain(old) ? old.requestId : undefined);
    const whole = { ...state, requestId: requestId ?? newRequestId(), ...(address !== undefined && { address }) };
    run.states.set(keyOf(lifecycle, whole), whole);
    return whole;
  };
  /** The inputs as a check would make them now, with the computed ones that they have. @throws ConfigError */
  const rechecked = (ctx: Context, olds: Partial<State>, inputs: Inputs): Inputs => {
    const isComputed = (key: string) =>
      key.startsWith("__") || ["organization", "address", lifecycle.date].includes(key);
    const [computed, args] = [{}, {}] as [Values, Values];
    for (const [key, value] of Object.entries(inputs)) (isComputed(key) ? computed : args)[key] = value;
    const { problems, inputs: fresh } = lifecycle.check({ ...ctx, log: silent }, olds as Partial<Inputs>, args);
    const { organization } = ctx;
    const name = objectText(lifecycle, { ...inputs, organization });
    if (problems.length > 0)
      throw new ConfigError(...problems.map((each) => ({ ...each, text: `${name}: ${sentenceOf(each)}`, path: [] })));
    const { [lifecycle.date as keyof Inputs]: _date, __due, __period, ...checked } = fresh as Inputs & Due;
    return { ...checked, ...computed, organization } as unknown as Inputs;
  };

  return {
    ...lifecycle,
    check(ctx, olds, news) {
      const { inputs, problems } = lifecycle.check(ctx, olds, news);
      const checked = { ...inputs, ...addressInputs(ctx, olds) };
      const all = [
        ...problems,
        ...movedOrganization(ctx, lifecycle, olds, checked),
        ...declaredTwice(ctx, lifecycle, checked),
      ];
      if (!(lifecycle.identity in olds) && all.length === 0)
        for (const risk of riskWarnings(lifecycle, checked)) ctx.log.warn(risk);
      return { inputs: checked, problems: all };
    },
    diff(ctx, state, inputs) {
      requireWhole(lifecycle, state);
      const identity = ["organization", lifecycle.identity] as (keyof State & keyof Inputs & string)[];
      const replaces = identity.filter((key) => (state[key] as unknown) !== (inputs[key] as unknown));
      if (replaces.length > 0) {
        // Both names may mean one organization, and so one object: what is declared has to be sent last.
        return { changes: true, replaces, ...(replaces.includes("organization") && { deleteBeforeReplace: true }) };
      }
      ctx.run.states.set(keyOf(lifecycle, state), state);
      const diff = lifecycle.diff(ctx, state, inputs);
      const isUncertain = lifecycle.isUncertain(state);
      for (const risk of riskWarnings(lifecycle, inputs, state)) ctx.log.warn(risk);
      if (isUncertain) warnOfDoubt(ctx, lifecycle, state, lifecycle.sends(inputs, state) && " It is sent once more.");
      // An update ends the doubt, also one that sends nothing.
      return isUncertain || isMoved(state, inputs) ? { ...diff, changes: true } : diff;
    },
    async create(ctx, inputs) {
      return stored(ctx, await lifecycle.create(ctx, rechecked(ctx, {}, inputs)), inputs);
    },
    async read(ctx, state) {
      requireWhole(lifecycle, state);
      return warnIfElsewhere(ctx, state, "the state is kept as it is") ? state : lifecycle.read(ctx, state);
    },
    async update(ctx, state, inputs) {
      requireWhole(lifecycle, state);
      if (warnIfElsewhere(ctx, state, "the state is kept as it is")) return state;
      return stored(ctx, await lifecycle.update(ctx, state, rechecked(ctx, state, inputs)), inputs, state);
    },
    async delete(ctx, state) {
      requireWhole(lifecycle, state);
      if (lifecycle.isUncertain(state)) warnOfDoubt(ctx, lifecycle, state);
      if (warnIfElsewhere(ctx, state, "the object there stays as it is")) return;
      const name = objectText(lifecycle, state);
      if (ctx.run.declared.has(keyOf(lifecycle, state))) {
        refuseLoss(ctx, lifecycle, state);
        const text = `${name}: still declared by this program, so deleting it here sent nothing.`;
        ctx.log.warn(warning("still-declared", text));
        return;
      }
      try {
        await lifecycle.delete(ctx, state);
      } catch (error) {
        // After a create that was never confirmed, the object may not exist. Its state could not be deleted if a denial were an error.
        if (!("uncertain" in state) || state.uncertain !== "create" || !isDenial(lifecycle.operation, error))
          throw error;
        const text = `${name}: was never confirmed, and is left as it is: ${error.diagnostic.text}`;
        ctx.log.warn(warning("object-left", text));
      }
    },
  };
}

/**
 * A state that was edited may say nothing about its object.
 *
 * @throws Error
 */
function requireWhole({ type, identity }: ResourceName, state: Values): void {
  const absent = ["organization", identity].filter((key) => typeof state[key] !== "string");
  if (absent.length === 0) return;
  throw errorOf(
    "state-incomplete",
    `the state of this ${type} has no ${absent.join(" and no ")}, so nothing was sent: ` +
      "restore it with `pulumi stack import`, or remove the resource with `pulumi state delete`",
  );
}

/** Two declarations of one object are a mistake: each would undo what the other one sends. The engine checks a replaced resource twice. */
function declaredTwice({ run, name }: Context, lifecycle: ResourceName, inputs: OrganizationScoped): Diagnostic[] {
  const id = (inputs as Values)[lifecycle.identity];
  if (typeof id !== "string" || containsUnknown(id)) return [];
  const key = keyOf(lifecycle, inputs);
  const other = run.declared.get(key);
  if (other === undefined) run.declared.set(key, name);
  if (other === undefined || name === undefined || other === name) return [];
  const same = `${lifecycle.type} "${other.split("::").at(-1) ?? ""}", ${objectName(id, inputs.organization)}`;
  return [problem("declared-twice", `declares the same object as ${printable(same)}: remove one of them`)];
}

/**
 * A move to another organization is a replacement. Of a webhook, it would rotate. Otherwise, it would send `onDelete` first, and both names may mean
 * one organization. That is rarely intended, so it is refused.
 */
function movedOrganization(
  { organization, isExplicit }: Context,
  { type, identity, isSetting }: Lifecycle,
  olds: Values,
  inputs: Values,
): Diagnostic[] {
  const { organization: owner, [identity]: id } = olds;
  if (owner === undefined || owner === organization || id !== inputs[identity] || (isSetting && retains(olds)))
    return [];
  const keep =
    isExplicit === true
      ? `name the Provider ${textOf(owner)}, or use the provider as before`
      : `keep the name with \`pulumi config set voiceplane:organization ${textOf(owner)}\``;
  const move = isSetting
    ? 'To move it, set onDelete to "retain" and run the update first'
    : "If another organization is meant, declare a new resource with a new name and remove this one";
  const text = `this ${type} belongs to the organization ${textOf(owner)}, and this provider talks to ${organization}. If the same organization is meant, ${keep}. ${move}`;
  // This names no property, because an entry of an organization calls the id by another name.
  return [problem("organization-changed", text)];
}

/** @throws Error if the state has a secret that the newest state of the declared resource lacks: the engine then keeps it */
function refuseLoss(ctx: Context, lifecycle: Lifecycle, state: OrganizationScoped): void {
  const { secretCopy } = lifecycle;
  if (!secretCopy?.isIn(state) || secretCopy.isCopied(state, ctx.run.states.get(keyOf(lifecycle, state)))) return;
  throw errorOf(
    "loses-secret",
    `${objectText(lifecycle, state)}: the program declares this object again, without ${secretCopy.what} that is in this state, which may ` +
      `be the only copy and stays: ${secretCopy.renewal}, and run the update again`,
  );
}

/** Whether an answer may mean that the object does not exist. The contract does not say which: to a PATCH it may be 500. */
function isDenial(operation: OperationName, error: unknown): error is RequestError {
  if (!(error instanceof RequestError) || error.status === undefined) return false;
  return [400, 404, 410, 422].includes(error.status) || mayMeanUnknownId(operation, error.status);
}

function warnOfDoubt(
  { log }: Context,
  lifecycle: ResourceName & Pick<Lifecycle, "doubt">,
  state: Values,
  next: string | false = "",
): void {
  log.warn(warning("uncertain", `${objectText(lifecycle, state)}: ${lifecycle.doubt}${next || ""}`));
}

function addressInputs({ address }: Context, olds: Partial<OrganizationScoped>): Partial<OrganizationScoped> {
  if (address === "") return {};
  const isNew = olds.address === undefined || olds.address === address;
  return { address, ...(!isNew && { __movedFrom: olds.address }) };
}

function isMoved(state: OrganizationScoped, { address }: OrganizationScoped): boolean {
  return state.address !== undefined && address !== undefined && state.address !== address;
}
