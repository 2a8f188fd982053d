/**
 * What a resource is, without Pulumi: six verbs over plain values. Each resource file implements {@link Lifecycle};
 * `withOrganizationRules` in rules.ts adds the rules that hold for all of them; a door translates between an engine's protocol and this.
 */
import { isDeepStrictEqual } from "node:util";
import type { Api } from "../client/client.js";
import { outcomeOf } from "../client/errors.js";

export type Values = Record<string, unknown>;

/** Something that a person must change before anything is sent. */
export interface Problem {
  /** The user's own property, as a path ("onDelete.retentionDays"); empty where it is not about one. */
  readonly property: string;
  /** What is wrong and what would be right. Never a value that may be secret. */
  readonly reason: string;
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** What the processes of one engine run have noted. */
export interface RunNotes {
  /** What the providers of this run have noted. */
  readonly providers: ReadonlySet<string>;
  /** What the program has noted. */
  readonly program: ReadonlySet<string>;
  /** Why notes of other processes may be missing. */
  readonly failure?: Error;
}

/** One run of the engine: the program and each provider are processes of their own, and tell each other by notes. */
export interface EngineRun {
  /** Notes one line for all processes of the run. */
  note(text: string): void;
  /** What all processes of the run have noted so far, this one included. */
  notes(): RunNotes;
}

/** What a verb may use. One for each provider instance and operation. */
export interface Context {
  /** The organization that this provider talks to: part of every object's identity. */
  readonly account: string;
  /** Where it is: origin and path of the base URL. Empty where that is not known. */
  readonly address: string;
  readonly api: Api;
  readonly log: Log;
  /** What the processes of this run of the engine note for each other. */
  readonly run: EngineRun;
  now(): Date;
}

/** Every resource's inputs and state name the organization; `check` adds it. */
// A type, not an interface: only types are assignable to Values.
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
export type OrganizationScoped = {
  account: string;
  /** Where requests go, unless `account` is that address itself. States of version 0.1.0 have none. */
  address?: string;
  /** The address before, in inputs that name another one. Hidden from previews by its name. */
  __movedFrom?: string;
};

export interface Checked<Inputs> {
  readonly inputs: Inputs;
  readonly problems: Problem[];
}

export interface Diff {
  readonly changes: boolean;
  /** Inputs whose change makes it another object. */
  readonly replaces?: string[];
  readonly deleteBeforeReplace?: boolean;
}

/** A resource's verbs. Values arrive validated by `check`, save that previews may hold unknown ones. */
export interface Lifecycle<
  Inputs extends OrganizationScoped = OrganizationScoped,
  State extends OrganizationScoped = OrganizationScoped,
> {
  /** The user's name of the resource type, e.g. "RetentionPolicy". */
  readonly type: string;
  /** The input that identifies the object within its organization, e.g. "networkPolicyId". */
  readonly identity: string;
  /** The input that check computes from the clock. */
  readonly date: "rotateOn" | "reassertOn";
  /** Outputs that are secret whatever the engine knows. */
  readonly secrets?: readonly string[];
  /** Notes, for the rest of the run, what the object was until now. */
  remember?(ctx: Context, state: State): void;
  /** Validates, normalizes and adds the computed inputs. `olds` is empty for an object that is new to the engine. */
  check(ctx: Context, olds: Partial<Inputs>, news: Values): Checked<Inputs>;
  /** Whether an update would send or store anything. Needs no clock and no network; says why where inputs do not show it. */
  diff(ctx: Context, state: State, inputs: Inputs): Diff;
  create(ctx: Context, inputs: Inputs): Promise<State>;
  /** The state as it is now, undefined if the object is known to be gone. */
  read(ctx: Context, state: State): Promise<State | undefined>;
  update(ctx: Context, state: State, inputs: Inputs): Promise<State>;
  delete(ctx: Context, state: State): Promise<void>;
}

/** An answer was lost. The engine keeps `state`, marks the resource half-made and calls update next time. */
export class UncertainError extends Error {
  override readonly name = "UncertainError";
  // It may hold secrets, which no way of printing the error must show, hidden properties included.
  readonly #state: OrganizationScoped;

  constructor(message: string, state: OrganizationScoped) {
    super(message);
    this.#state = state;
    // The engine prints stacks of some errors; ours would tell a user nothing.
    this.stack = `${this.name}: ${message}`;
  }

  get state(): OrganizationScoped {
    return this.#state;
  }
}

/** Sends; if the outcome is unknown, fails with `state` to keep instead of losing what is known. */
export async function keepStateIfLost<T>(send: () => Promise<T>, state: OrganizationScoped): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Error && outcomeOf(error) === "unknown") {
      throw new UncertainError(error.message, state);
    }
    throw error;
  }
}

/** Says which of these inputs changed, where a change is stored and sends nothing, so that no preview shows it. */
export function logStored<Inputs extends OrganizationScoped>(
  ctx: Context,
  lifecycle: Pick<Lifecycle, "type" | "identity">,
  olds: Partial<Inputs>,
  inputs: Inputs,
  keys: readonly (keyof Inputs & string)[],
): void {
  const isNew = Object.keys(olds).length === 0;
  const changed = isNew ? [] : keys.filter((key) => !isDeepStrictEqual(olds[key], inputs[key]));
  if (changed.length === 0) return;
  ctx.log.info(`${identityOf(lifecycle, inputs)}: ${changed.join(", ")} changed; that is stored and sends nothing.`);
}

/** Whether the inputs ask for what the state has, in these properties. An empty map says as much as none. */
export function sameValues<Key extends string>(
  state: Readonly<Partial<Record<Key, unknown>>>,
  inputs: Readonly<Partial<Record<Key, unknown>>>,
  keys: readonly Key[],
): boolean {
  return keys.every((key) => isDeepStrictEqual(orNone(state[key]), orNone(inputs[key])));
}

function orNone(value: unknown): unknown {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0 ? undefined : value;
}

/** `NetworkPolicy "np-1" of https://…`: how messages name an object. */
export function identityOf(lifecycle: Pick<Lifecycle, "type" | "identity">, values: Values): string {
  return `${lifecycle.type} "${String(values[lifecycle.identity])}" of ${String(values.account)}`;
}

/** Warns about one object. */
export function warnerOf(
  ctx: Context,
  lifecycle: Pick<Lifecycle, "type" | "identity">,
  values: Values,
): (message: string) => void {
  return (message) => {
    ctx.log.warn(`${identityOf(lifecycle, { ...values, account: ctx.account })}: ${message}`);
  };
}
