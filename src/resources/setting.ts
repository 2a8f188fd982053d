/**
 * The lifecycle of a setting that the interface can write and never read: RetentionPolicy, NetworkPolicy and
 * TrunkOutboundAuth. A definition says what is sent, when, and what undoes it.
 */
import type { z } from "zod";
import { keepStateIfLost, sameValues, warnerOf } from "./lifecycle.js";
import type { Checked, Context, Lifecycle, OrganizationScoped, Problem } from "./lifecycle.js";
import { problemsOf } from "./problems.js";
import { isDue, reassertion, type Due, type ReassertionInputs } from "./schedule.js";

/** Arguments that every setting has. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
type CommonArgs = {
  onDelete?: unknown;
  reassertAfter?: string | undefined;
  reassertUnattended?: boolean | undefined;
};

type OnDelete<Args extends CommonArgs> = NonNullable<Args["onDelete"]>;

export type SettingInputs<Args extends CommonArgs> = Args &
  OrganizationScoped &
  Due & { onDelete: OnDelete<Args>; reassertOn?: string };

export type SettingState<Args extends CommonArgs, Kept extends keyof Args> = Pick<Args, Kept> &
  OrganizationScoped &
  Due & {
    onDelete: OnDelete<Args>;
    /** The last request, a create or an update, may or may not have been applied. */
    uncertain?: "create" | "update";
  };

interface CheckedArgs<Args extends CommonArgs> {
  readonly ctx: Context;
  readonly olds: Partial<SettingInputs<Args>>;
  readonly inputs: SettingInputs<Args>;
  /** As the user wrote them. */
  readonly args: Args;
  /** Each argument is right by itself. */
  readonly isValid: boolean;
}

export interface SettingDefinition<Args extends CommonArgs, Identity extends keyof Args, Sent extends keyof Args> {
  readonly type: string;
  readonly identity: Identity & string;
  readonly args: z.ZodType<Args>;
  /** What a request is made of. The state keeps it. */
  readonly sent: readonly (Sent & string)[];
  /** Arguments with defaults, in their one spelling. Default: as they are. */
  normalize?(args: Args): Args;
  /** Problems between arguments, and with what was before. */
  problems?(checked: CheckedArgs<Args>): Problem[];
  /** Notes what the object was until now. */
  remember?(ctx: Context, state: SettingState<Args, Identity | Sent>): void;
  /** Throws where a create must not be sent. */
  beforeCreate?(ctx: Context, inputs: SettingInputs<Args>): void;
  /** The properties whose change is sent. Default: all that are sent. */
  compared?(inputs: Args): readonly (Sent & string)[];
  /** Whether these inputs ever send anything. Default: yes. */
  sends?(inputs: Args): boolean;
  /** Sends the inputs. */
  send(ctx: Context, inputs: SettingInputs<Args>): Promise<unknown>;
  /** Sends what `onDelete` asks for, where it is not "retain". */
  undo(ctx: Context, state: SettingState<Args, Identity | Sent>): Promise<unknown>;
}

export function setting<Args extends CommonArgs, Identity extends keyof Args, Sent extends keyof Args>(
  definition: SettingDefinition<Args, Identity, Sent>,
): Lifecycle<SettingInputs<Args>, SettingState<Args, Identity | Sent>> {
  type Inputs = SettingInputs<Args>;
  type State = SettingState<Args, Identity | Sent>;
  const { type, identity, sent } = definition;

  const stateOf = (inputs: Inputs): State => {
    const kept: (keyof Inputs)[] = ["account", identity, ...sent, "onDelete", "__due"];
    const values = kept.flatMap((key): [PropertyKey, unknown][] =>
      inputs[key] === undefined ? [] : [[key, inputs[key]]],
    );
    return Object.fromEntries(values) as State;
  };

  const mustSend = (state: State, inputs: Inputs): boolean => {
    if (definition.sends?.(inputs) === false) return false;
    const compared = definition.compared?.(inputs) ?? sent;
    return !sameValues<string>(state, inputs, compared) || isDue(state, inputs) || state.uncertain !== undefined;
  };

  /** If the answer is lost, the old state is kept as uncertain: the next update sends again, also after a revert. */
  const send = async (ctx: Context, inputs: Inputs, old?: State): Promise<State> => {
    const state = stateOf(inputs);
    const uncertain = old === undefined ? "create" : (old.uncertain ?? "update");
    await keepStateIfLost(() => definition.send(ctx, inputs), { ...(old ?? state), uncertain });
    return state;
  };

  return {
    type,
    identity,
    date: "reassertOn",

    check(ctx, olds, news): Checked<Inputs> {
      const problems = problemsOf(definition.args, news, type);
      const args = news as Args;
      const complete = { ...args, onDelete: args.onDelete ?? "retain" };
      const inputs = {
        ...(definition.normalize?.(complete) ?? complete),
        account: ctx.account,
        ...reassertion(
          ctx.now(),
          olds as ReassertionInputs,
          args.reassertAfter,
          warnerOf(ctx, { type, identity }, news),
        ),
      } as Inputs;
      const isValid = problems.length === 0;
      const further = definition.problems?.({ ctx, olds, inputs, args, isValid }) ?? [];
      return { inputs, problems: [...problems, ...further] };
    },

    ...(definition.remember && { remember: definition.remember.bind(definition) }),

    diff(_ctx, state, inputs) {
      return { changes: mustSend(state, inputs) || !sameValues<string>(state, inputs, [...sent, "onDelete"]) };
    },

    async create(ctx, inputs) {
      definition.beforeCreate?.(ctx, inputs);
      return definition.sends?.(inputs) === false ? stateOf(inputs) : send(ctx, inputs);
    },

    async read(_ctx, state) {
      return Promise.resolve(state);
    },

    async update(ctx, state, inputs) {
      return mustSend(state, inputs) ? send(ctx, inputs, state) : stateOf(inputs);
    },

    async delete(ctx, state) {
      if (state.onDelete !== "retain") await definition.undo(ctx, state);
    },
  };
}
