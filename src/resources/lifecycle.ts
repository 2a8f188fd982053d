/** A resource without Pulumi: six verbs over plain values. rules.ts adds the rules that apply to every resource. */
import { isDeepStrictEqual } from "node:util";
import type { Api } from "../client/api.js";
import { outcomeOf } from "../client/errors.js";
import { printable } from "../values/text.js";
import type { Change, Effect } from "./effects/effect.js";

export type Values = Record<string, unknown>;

/** A mistake in the user's values, which stops the run before anything is sent. */
export interface Problem {
  /** The user's property, as a path ("onDelete.retentionDays"); empty if the problem is not about one property. */
  readonly property: string;
  /** What is wrong and how to correct it, without any value that may be secret. */
  readonly reason: string;
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

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

/** For a process that was not started by an engine: its notes stay in it. */
export function singleProcessRun(): EngineRun {
  const providers = new Set<string>();
  return {
    note: (text) => void providers.add(text),
    notes: () => ({ providers, program: new Set() }),
  };
}

/** What this machine remembers, see `unsettled.ts`. Both throw if it cannot be read or written. */
export interface Unsettled {
  /** Whether a request has left that started from the state with this `requestId`. Changes nothing. */
  isOpen(requestId: string): boolean;
  /**
   * @param isDurable whether it must be on the disk before the request leaves, because sending it once more is not harmless
   * @returns takes it back: the request was surely not carried out
   */
  announce(requestId: string, isDurable: boolean): () => void;
}

/** Of a process that remembers nothing. */
export const forgetful: Unsettled = { isOpen: () => false, announce: () => () => undefined };

export interface Context {
  /** The provider's organization: part of every object's identity. */
  readonly organization: string;
  /** Origin and path of the base URL. Empty if unknown. */
  readonly address: string;
  /** Whether it is an explicit Provider, whose name is the organization's. */
  readonly isExplicit?: boolean;
  readonly api: Api;
  readonly log: Log;
  readonly run: EngineRun;
  /** Of the resource; undefined where the engine does not say it. */
  readonly name?: string | undefined;
  /** What this machine remembers of earlier runs. */
  readonly unsettled: Unsettled;
  /**
   * Why a secret that the run receives may be lost. `checkpoints`: the engine saves the state only when the run ends. `stateless`: there is
   * no state, as in `pulumi do --stateless`.
   */
  readonly unsaved?: "checkpoints" | "stateless" | undefined;
  now(): Date;
}

/** In every resource's inputs and state, added by `check`. A type, because interfaces are not assignable to Values. */
export type OrganizationScoped = Readonly<{
  organization: string;
  /** The address of requests; absent if `organization` is that address. */
  address?: string;
  /** The previous address, in inputs with a different one. The underscores hide it from previews. */
  __movedFrom?: string;
  /** In a state: the id of the request that made it, or one of its own if it was adopted or imported. */
  requestId?: string;
  /** In inputs only: a person wrote the old inputs and the state, in a file for `pulumi import`. */
  __imported?: true;
}>;

/** A line for the user. */
export type Message = Readonly<Partial<Record<keyof Log, string>>>;

interface Told {
  /** For the checks that follow in this run. */
  readonly notes?: readonly string[];
  readonly messages?: readonly Message[];
}

interface Checked<Inputs> extends Told {
  readonly inputs: Inputs;
  readonly problems: Problem[];
}

export interface Diff {
  readonly changes: boolean;
  /** Changed inputs that identify the object. */
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
  /** The input that `check` computes from the clock. */
  readonly date: "rotateOn" | "reassertOn";
  /** What a request may have done whose answer was lost, as a sentence, and what to do if nothing is sent any more. */
  readonly doubt: string;
  /** Inputs and outputs that are always secret. */
  readonly secrets?: readonly string[];
  /** Outputs from the answer to a request, or its time, which are unknown in previews. */
  readonly answered?: readonly string[];
  /** Keeps the object's previous values for the rest of the run. */
  remember?(ctx: Context, state: State): void;
  /**
   * Called instead of `delete` if the program still declares the object.
   *
   * @throws Error if the state is still needed: the engine then keeps it
   */
  replaced?(ctx: Context, state: State): void;
  /**
   * Validates, normalizes and adds the computed inputs. It changes nothing: {@link checkInRun} notes and logs what it returns.
   *
   * @param olds empty for an object that is new to the engine
   */
  check(ctx: Context, olds: Partial<Inputs>, news: Values): Checked<Inputs>;
  /** Whether an update would send or store anything. Uses neither clock nor network. Logs reasons that inputs do not show. */
  diff(ctx: Context, state: State, inputs: Inputs): Diff;
  /** Whether a create, or an update of this state, sends a request. Uses neither clock nor network. */
  sends(inputs: Inputs, state?: State): boolean;
  /** What a change does to its object. What is not known counts as a risk. A text with a risk has no value that may be secret. */
  effects(change: Change): Effect[];
  create(ctx: Context, inputs: Inputs): Promise<State>;
  /** The state after a refresh. Never removes an object: the interface cannot create one, or show that one is gone. */
  read(ctx: Context, state: State): Promise<State>;
  /** The arguments and the state of an object that is new to the engine. Absent if the interface has no operation for it. */
  import?(ctx: Context, id: string): Promise<{ inputs: Values; state: State }>;
  /** The state for what a person wrote into an import file: nothing in it was confirmed. */
  imported(written: State): State;
  update(ctx: Context, state: State, inputs: Inputs): Promise<State>;
  delete(ctx: Context, state: State): Promise<void>;
  /** Whether `delete` of this state sends nothing and loses nothing. */
  deletesNothing(state: State): boolean;
}

/**
 * An answer was lost, or says only that the server failed. The engine keeps `state`, marks the resource as partially created,
 * and calls `update` in the next run.
 */
export class LostAnswerError extends Error {
  override readonly name = "LostAnswerError";
  // Private: it may hold secrets, and printing an error shows even hidden properties.
  readonly #state: OrganizationScoped;

  constructor(message: string, state: OrganizationScoped) {
    super(message);
    this.#state = state;
    // The engine prints the stacks of some errors. A trace would not help users here.
    this.stack = `${this.name}: ${message}`;
  }

  get state(): OrganizationScoped {
    return this.#state;
  }
}

/** Whether it is unknown whether the last request was carried out: a setting has a mark for that, and a webhook a state of its rotation. */
export const isUncertain = ({ uncertain, rotationState }: Values): boolean =>
  uncertain !== undefined || rotationState === "uncertain";

/** @throws LostAnswerError with `state`, if the outcome of the request is unknown */
export async function keepStateIfLost<T>(send: () => Promise<T>, state: OrganizationScoped): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Error && outcomeOf(error) === "unknown") throw new LostAnswerError(error.message, state);
    throw error;
  }
}

/** Whether these properties are equal in both. An empty map or list equals a missing one. */
export function sameValues<Key extends string>(
  state: Readonly<Partial<Record<Key, unknown>>>,
  inputs: Readonly<Partial<Record<Key, unknown>>>,
  keys: readonly Key[],
): boolean {
  return keys.every((key) => isDeepStrictEqual(missingIfEmpty(state[key]), missingIfEmpty(inputs[key])));
}

function missingIfEmpty(value: unknown): unknown {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0 ? undefined : value;
}

export type ResourceName = Pick<Lifecycle, "type" | "identity">;

/**
 * The key of an object: declarations with one key are of the same object. In lower case, because servers accept several spellings of
 * an id: in doubt it is the same object, and a delete sends nothing.
 */
export const objectKey = (type: string, id: string, organization: string): string =>
  `${type} ${JSON.stringify(id)} of ${organization}`.toLowerCase();

/** The name of an object in messages: `NetworkPolicy "np-1" of https://…`. */
export function identityOf(lifecycle: ResourceName, values: Values): string {
  return printable(`${lifecycle.type} ${objectName(values[lifecycle.identity], values.organization)}`);
}

/** `"np-1" of acme`; the id alone where the organization is not known. */
export function objectName(id: unknown, organization: unknown): string {
  return `"${String(id)}"${organization === "" ? "" : ` of ${String(organization)}`}`;
}

/** What a check says of one object of the provider's organization, or a verb warns of. */
const ofOwn = ({ organization }: Context, lifecycle: ResourceName, values: Values, message: string): string =>
  `${identityOf(lifecycle, { ...values, organization })}: ${message}`;

export function warn(ctx: Context, lifecycle: ResourceName, values: Values, message: string): void {
  ctx.log.warn(ofOwn(ctx, lifecycle, values, message));
}

export const warning = (...of: Parameters<typeof warn>): Message => ({ warn: ofOwn(...of) });

/** Notes and logs what a check has found, or a diff says. */
export function tell({ run, log }: Pick<Context, "run" | "log">, { notes = [], messages = [] }: Told): void {
  for (const note of notes) run.note(note);
  for (const { info, warn } of messages) {
    if (info !== undefined) log.info(info);
    if (warn !== undefined) log.warn(warn);
  }
}

/** A check as a part of a run: the checks that follow know of it, and so does the user. */
export function checkInRun(lifecycle: Pick<Lifecycle, "check">, ctx: Context, olds: Values, news: Values) {
  const { inputs, problems, ...told } = lifecycle.check(ctx, olds, news);
  tell(ctx, told);
  return { inputs, problems };
}
