/**
 * What was sent and no state has confirmed. Each row of state has the id of the request that made it. Before a request leaves, the
 * machine remembers from which row it starts. A row that still has that id has not taken the request's result: the process died, the
 * state was not saved, or an older state was restored. It then counts as uncertain. No clock, order or count is evidence.
 */
import { randomBytes } from "node:crypto";
import type { Api } from "../client/api.js";
import { operations } from "../contract/index.js";
import { messageOf } from "../values/any.js";
import { adoptedRow, noRow, type ObjectName, type Unsettled } from "./memory.js";
import type { Context, OrganizationScoped, ResourceName, Values } from "./lifecycle.js";

/** In place of a row's id, for one that a person wrote into an import file. */
const importedRow = "imported";

const newRowId = (): string => randomBytes(8).toString("hex");

/** The id of a row that no request made. It is remembered, so that a create that does not know the row can supersede it. */
export function adoptedId(ctx: Context, resource: ResourceName, values: Values): string {
  const sent = { since: adoptedRow, id: newRowId(), isDurable: false };
  remembering(ctx, () => ctx.unsettled.announce(nameOf(ctx, resource, values), sent));
  return sent.id;
}

const rowOf = (state: Values | undefined): string =>
  state === undefined ? noRow : typeof state.requestId === "string" ? state.requestId : importedRow;

function nameOf({ address, organization }: Context, { type, identity }: ResourceName, values: Values): ObjectName {
  return { type, organization, id: String(values[identity]), address };
}

/** @param state undefined for an object without a row */
export function isOpen(ctx: Context, resource: ResourceName, values: Values, state?: Values): boolean {
  return remembering(ctx, () => ctx.unsettled.isOpen(nameOf(ctx, resource, values), rowOf(state))) ?? false;
}

/** The state, as uncertain if a request that started from it may have been carried out. */
export function settled<State extends OrganizationScoped>(ctx: Context, resource: ResourceName, state: State): State {
  return isOpen(ctx, resource, state, state) ? uncertain(state) : state;
}

/** The same for a reader of a state. */
export function settledState<State extends OrganizationScoped>(
  unsettled: Unsettled,
  { type, identity }: ResourceName,
  state: State,
): State {
  const { organization, address = organization } = state;
  const name = { type, organization, id: String((state as Values)[identity]), address };
  return unsettled.isOpen(name, rowOf(state)) ? uncertain(state) : state;
}

const uncertain = <State extends OrganizationScoped>(state: State): State =>
  "rotationState" in state ? { ...state, rotationState: "uncertain" } : { uncertain: "update", ...state };

/**
 * For one request, with an id that its row gets. It is remembered immediately before its bytes leave, and forgotten if they surely had no
 * effect.
 *
 * @param old the state that it starts from
 */
export function requestFrom(ctx: Context, resource: ResourceName, values: Values, old: Values | undefined) {
  const requestId = newRowId();
  const object = nameOf(ctx, resource, values);
  const api: Api = {
    send: (operation, parameters, body, options) => {
      const isDurable = !operations[operation].idempotent;
      const sent = { since: rowOf(old), id: requestId, isDurable };
      const announce = () => {
        const takeBack = remembering(ctx, () => ctx.unsettled.announce(object, sent));
        return () => {
          if (takeBack) remembering(ctx, takeBack);
        };
      };
      return ctx.api.send(operation, parameters, body, { ...options, requestId, announce });
    },
  };
  return { requestId, ctx: { ...ctx, api } };
}

/** A memory that fails ends no run, and is reported once per run. */
function remembering<T>({ log, run }: Context, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    const note = "cannot remember";
    if (run.notes().providers.has(note)) return undefined;
    run.note(note);
    log.warn(
      `this machine cannot remember what it sends (${messageOf(error)}): if this run is killed, the next one does not know which ` +
        "requests left. Set VOICEPLANE_STATE_DIR to a folder of this user.",
    );
    return undefined;
  }
}
