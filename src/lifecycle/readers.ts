/** What the report, `status` and others ask a resource, so that none of them knows one by its name. */
import type { Risk } from "./effects/effect.js";
import type { Loosens } from "./effects/guards.js";
import type { Values } from "./lifecycle.js";

/** A secret of which a state may have the only copy. */
export interface SecretCopy {
  /** Such as "the secret of this webhook". */
  readonly what: string;
  /** How a program gets another one, such as "change triggers, which rotates". */
  readonly renewal: string;
  /** Whether this state has the secret, or an answer that may contain it. */
  isIn(state: Values): boolean;
}

export interface Readers {
  /** Whether it is unknown whether the last request of this state was carried out. */
  readonly isUncertain: (state: Values) => boolean;
  /** What any request for an object may do. */
  readonly worst: readonly Risk[];
  /** The inputs that a request sets, or is asked for with. All others act later. */
  readonly sentProperties: readonly string[];
  /** Of the inputs that act later: whether a new value allows more than the old one did. Those of all resources are in `effects/guards.ts`. */
  readonly guards: Readonly<Record<string, Loosens>>;
  /** What sentences call the object, in place of the resource's name; then its id is not shown beside them. */
  readonly subject?: (values: Values, name: string) => string;
  /** What compares a change with the old state, and so is lost where an object gets another name. */
  readonly comparison?: string;
  /** Absent if no state of the resource has a secret. */
  readonly secretCopy?: SecretCopy;
  /** The values of the last request, for a table. */
  readonly sent: (values: Values) => string;
}
