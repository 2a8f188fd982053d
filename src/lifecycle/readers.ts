/** What the report, `status` and others ask a resource, so that none of them knows one by its name. */
import type { Risk } from "./effects/risk.js";
import type { Loosens } from "./effects/guards.js";
import type { Values } from "../values/any.js";

/** A secret of which a state may have the only copy. */
export interface SecretCopy {
  /** Such as "the secret of this webhook". */
  readonly what: string;
  /** How a program gets another one, such as "change triggers, which rotates". */
  readonly renewal: string;
  /** Whether this state has the secret, or an answer that may contain it. */
  isIn(state: Values): boolean;
  /** Whether the newest state of the declared resource has what this state has, or a later secret. */
  isCopied(state: Values, newest: Values | undefined): boolean;
}

export interface Rotation {
  /** "rotated", "adopted", "unread" or "uncertain". */
  readonly state: string;
  /** How many rotations were answered. */
  readonly count: number;
  /** When the last rotation was answered, ISO 8601. The age of the secret counts from it. */
  readonly at: string | undefined;
}

export interface Readers {
  /** Whether it is unknown whether the last request of this state was carried out. */
  readonly isUncertain: (state: Values) => boolean;
  /** What its request does, after the object's name, such as "sets" or "rotates its signing secret". */
  readonly does: string;
  /** The arguments in the body of its request. */
  readonly bodyProperties: readonly string[];
  /** What the request of a destroy sets. Asked only where `onDelete` sends one. */
  valuesOnDelete(state: Values): Values;
  /**
   * Why a request needs a look. A value that is not known counts as the worst one.
   *
   * @param after what it sets
   * @param current what the server has, as far as the state says it
   */
  requestRisks(after: Values, current: Values | undefined): readonly Risk[];
  /** The inputs that a request sets, or is asked for with. All others act later. */
  readonly sentProperties: readonly string[];
  /** For each input, and each option of the engine, that acts later: whether a new value of it allows more than the old one did. */
  readonly guards: Readonly<Record<string, Loosens>>;
  /** The secret that a state has. Absent if no state of the resource has one. */
  readonly secretCopy?: SecretCopy;
  /** The rotations in a state, whose values may be hidden because the program made them secret. Absent if the resource rotates nothing. */
  readonly rotation?: (state: Values) => Rotation;
  /** Whether a secret was rotated, and none was found in the answer. Absent if the resource rotates nothing. */
  readonly isUnread?: (state: Values) => boolean;
  /** Whether these values ever send anything. Default: yes. */
  readonly everSends?: (values: Values) => boolean;
  /** The last request, as a table shows it. */
  readonly sent: (values: Values, rotation?: Rotation) => string;
}
