/** A resource without Pulumi: six verbs over plain values. */
import type { OperationName } from "../contract/index.js";
import type { Values } from "../values/any.js";
import type { Diagnostic } from "../values/diagnostic.js";
import type { Context } from "./context.js";
import type { OrganizationScoped } from "./object.js";
import type { Readers } from "./readers.js";

interface Checked<Inputs> {
  readonly inputs: Inputs;
  readonly problems: Diagnostic[];
}

interface Diff {
  readonly changes: boolean;
  /** Changed inputs that identify the object. */
  readonly replaces?: string[];
  readonly deleteBeforeReplace?: boolean;
}

/** A resource's verbs. `check` has validated their values, except those that are unknown in previews. */
export interface Lifecycle<
  Inputs extends OrganizationScoped = OrganizationScoped,
  State extends OrganizationScoped = OrganizationScoped,
> extends Readers {
  /** The user's name of the resource type, e.g. "RetentionPolicy". */
  readonly type: string;
  /** The input that identifies the object within its organization, e.g. "networkPolicyId". */
  readonly identity: string;
  /** The operation that its verbs send. */
  readonly operation: OperationName;
  /** Whether it can be written and not read, so that sending it again does no harm. */
  readonly isSetting: boolean;
  /** The input that `check` computes from the clock. */
  readonly date: "rotateOn" | "reassertOn";
  /** The property, with its value, that makes a state uncertain: a dry run asks what an update of such a state sends. */
  readonly mark: Readonly<Record<string, string>>;
  /** For a state that is uncertain: what its last request may have done, and what to do if nothing is sent any more. */
  readonly doubt: string;
  /** Inputs and outputs that are always secret. */
  readonly secrets?: readonly string[];
  /** Outputs that come from the answer to a request, or are its time. A preview does not know them. */
  readonly answered?: readonly string[];
  /**
   * Validates, normalizes and adds the computed inputs. What one resource refuses by itself is here. It sends nothing.
   *
   * @param olds empty for an object that is new to the engine
   */
  check(ctx: Context, olds: Partial<Inputs>, news: Values): Checked<Inputs>;
  /** Whether an update would send or store anything. It logs reasons that inputs do not show. */
  diff(ctx: Context, state: State, inputs: Inputs): Diff;
  /** Whether a create, or an update of this state, sends a request. */
  sends(inputs: Inputs, state?: State): boolean;
  create(ctx: Context, inputs: Inputs): Promise<State>;
  /** The state after a refresh. Never removes an object: the interface cannot create one, or show that one is gone. */
  read(ctx: Context, state: State): Promise<State>;
  update(ctx: Context, state: State, inputs: Inputs): Promise<State>;
  delete(ctx: Context, state: State): Promise<void>;
}
