/** The lifecycle of settings that can be written but not read. */
import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { OperationName } from "../contract/index.js";
import { isUnconfirmed } from "./effects/risk.js";
import { guardsOf, onDeleteOf, retains } from "./effects/guards.js";
import { keepStateIfLost } from "./lost-answer.js";
import { newRequestId, sameValues, type OrganizationScoped } from "./object.js";
import { warnOfObject, type Context } from "./context.js";
import type { Lifecycle } from "./lifecycle.js";
import type { Readers } from "./readers.js";
import { problemsOf } from "../schema/problems.js";
import type { Values } from "../values/any.js";
import type { Diagnostic } from "../values/diagnostic.js";
import { dueDates, isDue, type Due } from "./schedule.js";

/** Arguments that every setting has. */
type CommonArgs = Readonly<{
  onCreate?: "overwrite" | "adopt" | undefined;
  onDelete?: unknown;
  reassertAfter?: string | undefined;
}>;

type OnDelete<Args extends CommonArgs> = NonNullable<Args["onDelete"]>;

type SettingInputs<Args extends CommonArgs> = Args &
  OrganizationScoped &
  Due & { onDelete: OnDelete<Args>; reassertOn?: string };

type SettingState<Args extends CommonArgs, Sent extends keyof Args> = Pick<Args, Sent> &
  OrganizationScoped &
  Due & {
    /** Absent for "retain", which most resources have. */
    onDelete?: OnDelete<Args>;
    /** The answer to the last request was lost: whether it was applied is unknown. */
    uncertain?: "create" | "update";
    /** The values were adopted, and no request has sent any: the server may have others. */
    confirmed?: false;
  };

interface CheckedArgs<Args extends CommonArgs> {
  /** The old inputs, or the state. */
  readonly olds: Partial<SettingInputs<Args>>;
  readonly inputs: SettingInputs<Args>;
  /** The arguments before `normalize`. */
  readonly args: Args;
  /** Whether each argument is valid individually. */
  readonly isValid: boolean;
}

interface SettingDefinition<
  Args extends CommonArgs,
  Identity extends keyof Args,
  Property extends keyof Args,
> extends Omit<Readers, "isUncertain" | "sentProperties" | "guards"> {
  readonly type: string;
  readonly identity: Identity & string;
  readonly operation: OperationName;
  readonly args: z.ZodType<Args>;
  /** The arguments that a request sets. The state has them as last sent. */
  readonly properties: readonly (Property & string)[];
  /** The arguments with defaults, in canonical spelling. Default: unchanged. */
  readonly normalize?: (args: Args) => Args;
  /** Problems between arguments, and with the previous values: the place for what one setting refuses. */
  problems?(checked: CheckedArgs<Args>): Diagnostic[];
  /** Its own guards. Those of every resource are added. */
  readonly guards: Readers["guards"];
  /** As in {@link Lifecycle}. Default: a sentence that fits any setting. */
  readonly doubt?: string;
  /** The properties whose change is sent. Default: `properties`. */
  compared?(inputs: Args): readonly (Property & string)[];
  send(ctx: Context, inputs: SettingInputs<Args>): Promise<unknown>;
  /** Sends what `onDelete` says. Not called for "retain". */
  sendOnDelete(ctx: Context, state: SettingState<Args, Identity | Property>): Promise<unknown>;
}

export function setting<Args extends CommonArgs, Identity extends keyof Args, Property extends keyof Args>(
  definition: SettingDefinition<Args, Identity, Property>,
): Lifecycle<SettingInputs<Args>, SettingState<Args, Identity | Property>> {
  type Inputs = SettingInputs<Args>;
  type State = SettingState<Args, Identity | Property>;
  const { type, identity, operation, properties, sent } = definition;
  const { does, bodyProperties, valuesOnDelete, requestRisks } = definition;
  const guards = guardsOf(definition.guards, (inputs) => requestRisks(valuesOnDelete(inputs), inputs).length === 0);
  const { normalize = (args: Args) => args, everSends = () => true } = definition;

  const stateOf = (inputs: Inputs): State => {
    const keys: (keyof Inputs)[] = ["organization", identity, ...properties, "__due"];
    if (!retains(inputs)) keys.push("onDelete");
    const declared = keys.filter((key) => inputs[key] !== undefined);
    return Object.fromEntries(declared.map((key) => [key, inputs[key]])) as State;
  };

  const adopted = (inputs: Inputs): State => ({ ...stateOf(inputs), ...(everSends(inputs) && { confirmed: false }) });

  const mark = { uncertain: "update" };
  const isUncertain: Readers["isUncertain"] = ({ uncertain }) => uncertain !== undefined;

  /** A request replaces what the server has, also by an empty map. What is not sent is equal if it is empty or missing. */
  const areSame = (before: Values, after: Values, keys: readonly string[]): boolean =>
    keys.every((key) =>
      bodyProperties.includes(key) ? isDeepStrictEqual(before[key], after[key]) : sameValues(before, after, [key]),
    );

  const sends = (inputs: Inputs, state?: State): boolean => {
    if (!everSends(inputs)) return false;
    if (!state) return inputs.onCreate !== "adopt";
    return (
      !areSame(state, inputs, definition.compared?.(inputs) ?? properties) || isDue(state, inputs) || isUncertain(state)
    );
  };

  /** If the answer is lost, the old state is kept as uncertain: the next update sends again, even after a revert. */
  const send = async (ctx: Context, inputs: Inputs, old?: State): Promise<State> => {
    const requestId = newRequestId();
    const state = { ...stateOf(inputs), requestId };
    const uncertain = old === undefined ? "create" : (old.uncertain ?? "update");
    await keepStateIfLost(() => definition.send(ctx, inputs), { ...(old ?? state), uncertain, requestId });
    return state;
  };

  return {
    ...{ type, identity, operation, guards, everSends, sent },
    ...{ does, bodyProperties, valuesOnDelete, requestRisks },
    sentProperties: properties,
    isSetting: true,
    date: "reassertOn",
    mark,
    isUncertain,
    doubt: definition.doubt ?? "it is unknown whether its last request was carried out.",

    check(ctx, olds, news) {
      const problems = problemsOf(definition.args, news, type);
      const args = news as Args;
      const complete = { ...args, onDelete: onDeleteOf(args) };
      const dates = dueDates(ctx, "reassertOn", olds, news, false);
      const inputs = { ...normalize(complete), organization: ctx.organization, ...dates } as Inputs;
      const isValid = problems.length === 0;
      const further = definition.problems?.({ olds, inputs, args, isValid }) ?? [];
      return { inputs, problems: [...problems, ...further] };
    },

    diff(_ctx, state, inputs) {
      const stored = { ...state, onDelete: onDeleteOf(state) };
      return { changes: sends(inputs, state) || !areSame(stored, inputs, [...properties, "onDelete"]) };
    },

    sends,

    async create(ctx, inputs) {
      return sends(inputs) ? send(ctx, inputs) : adopted(inputs);
    },

    read: (_ctx, state) => Promise.resolve(state),

    async update(ctx, state, inputs) {
      if (sends(inputs, state)) return send(ctx, inputs, state);
      return isUnconfirmed(state) ? adopted(inputs) : stateOf(inputs);
    },

    async delete(ctx, state) {
      const text = 'stays as it was last set, because onDelete is "retain". Nothing was sent.';
      if (retains(state)) warnOfObject(ctx, { type, identity }, state, "object-left", text);
      else await definition.sendOnDelete(ctx, state);
    },
  };
}
