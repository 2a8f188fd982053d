/** What a resource is, without Pulumi: six verbs over plain values. rules.ts adds the rules that hold for every resource. */
import { isDeepStrictEqual } from "node:util";
import type { Api } from "../client/client.js";
import { outcomeOf } from "../client/errors.js";
import { printable } from "../client/printable.js";

export type Values = Record<string, unknown>;

/** An error of the user that stops the run before anything is sent. */
export interface Problem {
  /** The user's property, as a path ("onDelete.retentionDays"); empty where no single property is wrong. */
  readonly property: string;
  /** What is wrong and what would be right, without any value that may be secret. */
  readonly reason: string;
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** The notes of one engine run, by the processes that wrote them. */
interface RunNotes {
  readonly providers: ReadonlySet<string>;
  readonly program: ReadonlySet<string>;
  /** Why notes of other processes may be missing. */
  readonly failure?: Error;
}

/** One run of the engine. The program and each provider are separate processes, which exchange notes of one line. */
export interface EngineRun {
  note(text: string): void;
  /** The notes of all processes so far, this one included. */
  notes(): RunNotes;
}

/** For programs and providers that no engine has started: notes stay in the process. */
export function singleProcessRun(): EngineRun {
  const providers = new Set<string>();
  return {
    note: (text) => void providers.add(text),
    notes: () => ({ providers, program: new Set() }),
  };
}

/** What a verb may use. */
export interface Context {
  /** The organization of this provider: part of every object's identity. */
  readonly account: string;
  /** Origin and path of the base URL. Empty where that is not known. */
  readonly address: string;
  readonly api: Api;
  readonly log: Log;
  readonly run: EngineRun;
  now(): Date;
}

/** Every resource's inputs and state name the organization; `check` adds it. */
// A type, not an interface: only types are assignable to Values.
export type OrganizationScoped = Readonly<{
  account: string;
  /** The address of requests, unless `account` is that address. States of version 0.1.0 have none. */
  address?: string;
  /** The previous address, in inputs with another one. Its name hides it from previews. */
  __movedFrom?: string;
}>;

interface Checked<Inputs> {
  readonly inputs: Inputs;
  readonly problems: Problem[];
}

export interface Diff {
  readonly changes: boolean;
  /** Changed inputs that make it another object. */
  readonly replaces?: string[];
  readonly deleteBeforeReplace?: boolean;
}

/** A resource's verbs. `check` has validated their values, except those that are unknown in previews. */
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
  /** Inputs and outputs that are always secret. */
  readonly secrets?: readonly string[];
  /** Outputs that come from the answer to a request, or from its time: previews do not know them. */
  readonly answered?: readonly string[];
  /** Notes the object's previous values for the rest of the run. */
  remember?(ctx: Context, state: State): void;
  /**
   * Called in place of `delete` where the program still declares the object.
   *
   * @throws Error if the state is needed, so that the engine keeps it
   */
  replaced?(ctx: Context, state: State): void;
  /** Validates, normalizes and adds the computed inputs. `olds` is empty for an object that is new to the engine. */
  check(ctx: Context, olds: Partial<Inputs>, news: Values): Checked<Inputs>;
  /** Whether an update would send or store anything. Uses neither clock nor network; logs reasons that inputs do not show. */
  diff(ctx: Context, state: State, inputs: Inputs): Diff;
  create(ctx: Context, inputs: Inputs): Promise<State>;
  /** The state after a refresh. It never removes an object: no operation creates one again, or shows that one is gone. */
  read(ctx: Context, state: State): Promise<State>;
  /** The arguments and the state of an object that is new to the engine. Absent where the interface has no way to ask. */
  import?(ctx: Context, id: string): Promise<{ inputs: Values; state: State }>;
  update(ctx: Context, state: State, inputs: Inputs): Promise<State>;
  delete(ctx: Context, state: State): Promise<void>;
}

/** An answer was lost. The engine keeps `state`, marks the resource as partially created and calls update next time. */
export class UncertainError extends Error {
  override readonly name = "UncertainError";
  // Private: it may hold secrets, and printing an error shows even hidden properties.
  readonly #state: OrganizationScoped;

  constructor(message: string, state: OrganizationScoped) {
    super(message);
    this.#state = state;
    // The engine prints the stacks of some errors. This one is of no use to users.
    this.stack = `${this.name}: ${message}`;
  }

  get state(): OrganizationScoped {
    return this.#state;
  }
}

/** The output that says that the answer to the last request was lost; undefined if it arrived. */
export function uncertaintyOf(state: Values): "uncertain" | "rotationState" | undefined {
  if (state.uncertain !== undefined) return "uncertain";
  return state.rotationState === "uncertain" ? "rotationState" : undefined;
}

/** Whether the answer to the last request was lost, so that it may have been carried out or not. */
export function isUncertain(state: Values): boolean {
  return uncertaintyOf(state) !== undefined;
}

/** @throws UncertainError with the state to keep, if the outcome of the request is unknown */
export async function keepStateIfLost<T>(send: () => Promise<T>, state: OrganizationScoped): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Error && outcomeOf(error) === "unknown") throw new UncertainError(error.message, state);
    throw error;
  }
}

/** Logs which of these inputs changed. Their changes are stored and send nothing, so previews do not show them. */
export function logStored<Inputs extends OrganizationScoped>(
  ctx: Context,
  lifecycle: ResourceName,
  olds: Partial<Inputs>,
  inputs: Inputs,
  keys: readonly (keyof Inputs & string)[],
): void {
  const isNew = Object.keys(olds).length === 0;
  const changed = isNew ? [] : keys.filter((key) => !isDeepStrictEqual(olds[key], inputs[key]));
  if (changed.length === 0) return;
  ctx.log.info(`${identityOf(lifecycle, inputs)}: ${changed.join(", ")} changed; that is stored and sends nothing.`);
}

/** Whether the state and the inputs have the same values of these properties. An empty map equals a missing one. */
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

/** What names an object, beside its values. */
export type ResourceName = Pick<Lifecycle, "type" | "identity">;

/** The name of an object in messages: `NetworkPolicy "np-1" of https://…`. */
export function identityOf(lifecycle: ResourceName, values: Values): string {
  return printable(`${lifecycle.type} "${String(values[lifecycle.identity])}" of ${String(values.account)}`);
}

/** Warns about one object of the provider's organization. */
export function warn(ctx: Context, lifecycle: ResourceName, values: Values, message: string): void {
  ctx.log.warn(`${identityOf(lifecycle, { ...values, account: ctx.account })}: ${message}`);
}
