/** Whose object it is: which organization has it, and whether the program still declares it. */
import { containsUnknown } from "../values/engine.js";
import { RequestError } from "../client/errors.js";
import { errorOf, warning } from "../values/diagnostic.js";
import { riskWarnings } from "./effects/effect.js";
import type { Context } from "./context.js";
import type { Lifecycle } from "./lifecycle.js";
import type { Values } from "../values/any.js";
import { warnOfObject } from "./messages.js";
import { objectText, keysHere, keysOf, sameValues, type OrganizationScoped, type ResourceName } from "./object.js";
import { newRequestId, withDoubt } from "./pending.js";

/**
 * The rules about whose object it is:
 *
 * - The notes of `check` have what the program declares.
 * - A change of `organization` or of the object's id is a replacement.
 * - A change of the address alone is an update that sends nothing: the preview shows the address of the next requests.
 * - read, update and delete act only if the state's organization is the provider's own.
 * - delete sends nothing for an object that the program still declares: renamed, replaced, tainted, swapped, or under
 *   another name of the organization.
 */
export function withOwnership<Inputs extends OrganizationScoped, State extends OrganizationScoped>(
  lifecycle: Lifecycle<Inputs, State>,
): Lifecycle<Inputs, State> {
  /** Whether the object is another organization's. If so, it warns that nothing was sent. */
  const warnIfElsewhere = (ctx: Context, state: State, consequence: string): boolean => {
    if (state.organization === ctx.organization) return false;
    const text = `${objectText(lifecycle, state)}: this provider talks to ${ctx.organization}, so nothing was sent and ${consequence}.`;
    ctx.log.warn(warning("other-organization", text));
    return true;
  };
  /**
   * Adds the address and the `requestId`. Where nothing was sent, the id of the old state stays. An old state that was uncertain is the exception: with
   * its id, the new state would be uncertain too.
   */
  const stored = (ctx: Context, state: State, { address }: Inputs, old?: State): State => {
    const unchanged = old === undefined || lifecycle.isUncertain(old) ? undefined : old.requestId;
    if (state.requestId !== undefined && !lifecycle.isUncertain(state)) noteSent(ctx, lifecycle, state);
    return {
      ...state,
      requestId: state.requestId ?? unchanged ?? newRequestId(),
      ...(address !== undefined && { address }),
    };
  };

  const importObject = lifecycle.import?.bind(lifecycle);
  return {
    ...lifecycle,
    check(ctx, olds, news) {
      const { inputs, problems } = lifecycle.check(ctx, olds, news);
      const checked = { ...inputs, ...addressInputs(ctx, olds) };
      const isKnown = !containsUnknown(checked[lifecycle.identity as keyof Inputs]);
      const isCreate = !(lifecycle.identity in olds) && problems.length === 0;
      if (isKnown) for (const key of keysOf(lifecycle, checked)) ctx.run.note({ says: "declared", key });
      if (isCreate) for (const risk of riskWarnings(lifecycle, checked)) ctx.log.warn(risk);
      return { inputs: checked, problems };
    },
    diff(ctx, before, inputs) {
      const state = withDoubt(ctx, lifecycle, before);
      requireWhole(lifecycle, state);
      lifecycle.remember?.(ctx, state);
      const identity = ["organization", lifecycle.identity] as (keyof State & keyof Inputs & string)[];
      const replaces = identity.filter((key) => (state[key] as unknown) !== (inputs[key] as unknown));
      if (replaces.length > 0) {
        // Both names may mean one organization, and so one object: what is declared has to be sent last.
        return { changes: true, replaces, ...(replaces.includes("organization") && { deleteBeforeReplace: true }) };
      }
      const diff = lifecycle.diff(ctx, state, inputs);
      const isUncertain = lifecycle.isUncertain(state);
      const resolution = isUncertain ? lifecycle.resolution?.(lifecycle.sends(inputs, state)) : undefined;
      const risks = resolution === undefined ? riskWarnings(lifecycle, inputs, state) : [];
      for (const risk of risks) ctx.log.warn(risk);
      if (resolution !== undefined) warnOfObject(ctx, lifecycle, state, "uncertain", resolution);
      else if (isUncertain) warnOfDoubt(ctx, lifecycle, state);
      // An update ends the doubt, also one that sends nothing.
      const isStored = isUncertain || isMoved(state, inputs) || !sameValues<string>(before, state, Object.keys(state));
      return diff.changes || !isStored ? diff : { ...diff, changes: true };
    },
    async create(ctx, inputs) {
      const state = await lifecycle.create(ctx, inputs);
      // A webhook takes the state over from the resource that it replaces.
      if (lifecycle.isUncertain(state)) warnOfDoubt(ctx, lifecycle, state);
      return stored(ctx, state, inputs);
    },
    async read(ctx, before) {
      requireWhole(lifecycle, before);
      const state = withDoubt(ctx, lifecycle, before);
      if (warnIfElsewhere(ctx, state, "the state is kept as it is")) return state;
      return lifecycle.read(ctx, state);
    },
    ...(importObject && {
      async import(ctx: Context, id: string) {
        const { inputs, state } = await importObject(ctx, id);
        const { organization, address } = ctx;
        return {
          inputs: { ...inputs, organization, address },
          state: { ...state, address, requestId: newRequestId() },
        };
      },
    }),
    async update(ctx, before, inputs) {
      const state = withDoubt(ctx, lifecycle, before);
      requireWhole(lifecycle, state);
      if (warnIfElsewhere(ctx, state, "the state is kept as it is")) return state;
      return stored(ctx, await lifecycle.update(ctx, state, inputs), inputs, state);
    },
    async delete(ctx, before) {
      requireWhole(lifecycle, before);
      const state = withDoubt(ctx, lifecycle, before);
      const isOther = warnIfElsewhere(ctx, state, "the object there stays as it is");
      const isReplaced = !isOther && isDeclared(ctx, lifecycle, state);
      // If the resource that replaces this one has sent the same request in this run, the doubt is over.
      if (lifecycle.isUncertain(state) && !(isReplaced && isSentIn(ctx, lifecycle, state)))
        warnOfDoubt(ctx, lifecycle, state);
      // Without the doubt, which says nothing about the secret that the state has.
      if (isReplaced) lifecycle.replaced?.(ctx, before);
      lifecycle.remember?.(ctx, state);
      if (isOther) return;
      const name = objectText(lifecycle, state);
      if (isReplaced) {
        const text = `${name}: still declared by this program, so deleting it here sent nothing.`;
        ctx.log.warn(warning("still-declared", text));
        return;
      }
      try {
        await lifecycle.delete(ctx, state);
      } catch (error) {
        // After a create that was never confirmed, the object may not exist. Its state could not be deleted if a denial were an error.
        if (!("uncertain" in state) || state.uncertain !== "create" || !isDenial(error)) throw error;
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

/**
 * Whether this run has set the object, or will.
 *
 * @throws Error if that is unknown: notes of other processes are missing, or the program declares the object under another name, which
 *   this run excludes
 */
function isDeclared<State extends OrganizationScoped>(
  ctx: Context,
  lifecycle: ResourceName & Pick<Lifecycle<State, State>, "deletesNothing">,
  state: State,
): boolean {
  const { providers, program, whyIncomplete } = ctx.run.notes();
  const keys = keysHere(ctx, lifecycle, state);
  if (keys.some((key) => providers.has("declared", key))) return true;
  if (lifecycle.deletesNothing(state) || program.has("declared state", state.requestId ?? "")) return false;
  if (whyIncomplete) throw whyIncomplete;
  if (!keys.some((key) => program.has("declared", key))) return false;
  // Not registered yet, for example because of dependsOn: this run will update it.
  if (!keys.some((key) => program.has("registered", key))) return true;
  throw errorOf(
    "declarer-excluded",
    `${objectText(lifecycle, state)}: the program declares this object under another name, which this run has excluded, so nothing was ` +
      "sent and the state is kept. Run the update without --target and --exclude; to destroy, run without --run-program.",
  );
}

/** Whether an answer may mean that the object does not exist. The contract does not say which: to a PATCH it may be 500. */
function isDenial(error: unknown): error is RequestError {
  if (!(error instanceof RequestError) || error.status === undefined) return false;
  return [400, 404, 410, 422].includes(error.status) || (error.method === "PATCH" && error.status === 500);
}

function warnOfDoubt({ log }: Context, lifecycle: ResourceName & Pick<Lifecycle, "doubt">, state: Values): void {
  log.warn(warning("uncertain", `${objectText(lifecycle, state)}: ${lifecycle.doubt}`));
}

function noteSent(ctx: Context, lifecycle: ResourceName, state: OrganizationScoped): void {
  for (const key of keysHere(ctx, lifecycle, state)) ctx.run.note({ says: "sent", key });
}

const isSentIn = (ctx: Context, lifecycle: ResourceName, state: OrganizationScoped): boolean =>
  keysHere(ctx, lifecycle, state).some((key) => ctx.run.notes().providers.has("sent", key));

function addressInputs({ address }: Context, olds: Partial<OrganizationScoped>): Partial<OrganizationScoped> {
  if (address === "") return {};
  const isNew = olds.address === undefined || olds.address === address;
  return { address, ...(!isNew && { __movedFrom: olds.address }) };
}

function isMoved(state: OrganizationScoped, { address }: OrganizationScoped): boolean {
  return state.address !== undefined && address !== undefined && state.address !== address;
}
