/**
 * Due dates as inputs. Only `check` uses the clock: it keeps a date until it is due, then computes the next one and stores the
 * due one in `__due`. A preview shows `~ rotateOn: 2026-11-20 => 2027-02-18`, a refresh shows nothing, and diff and update compare
 * `__due` without a clock.
 */
import { periodPattern } from "../schema/fields.js";
import { warnOfObject } from "./messages.js";
import type { Context } from "./context.js";
import type { ResourceName } from "./object.js";
import type { Values } from "../values/any.js";

/** Is in a resource's inputs and in its state. */
export type Due = Readonly<{
  /** The last date that was due. The operation is due while inputs and state differ in it. The underscores hide it from previews. */
  __due?: string;
}>;

export interface Schedule {
  /** The period, such as "90d"; undefined if nothing is scheduled. */
  readonly after: string | undefined;
  /** The next due date, as YYYY-MM-DD in UTC. */
  readonly on?: string | undefined;
  /** The last date that was due, as in {@link Due}. */
  readonly due?: string | undefined;
}

interface Advanced extends Schedule {
  /** Whether the old date is further off than a period from today. Then the date or the clock is wrong, and the date stays. */
  readonly isTooFar?: true;
}

/**
 * The schedule after `today`. A wrong clock, now or in an earlier run, never moves a date forward.
 * @param restart whether this update does the scheduled operation for another reason, which starts the period again
 */
export function advance(old: Schedule, after: string | undefined, today: Date, restart: boolean): Advanced {
  if (after === undefined) return { after, due: old.due };
  if (!isPeriod(after)) return { ...old, after };
  const date = isoDate(today);
  const fresh = addDays(date, daysOf(after));
  if (old.on === undefined || old.after === undefined) return { after, on: fresh, due: old.due };
  const on = addDays(old.on, daysOf(after) - daysOf(old.after));
  // The period cannot begin later than now. Clocks may differ by a day.
  const isTooFar = on > addDays(fresh, 1);
  // This update also does what was due.
  if (restart) return isTooFar ? { after, on, isTooFar } : { after, on: fresh };
  if (isTooFar) return { after, on, due: old.due, isTooFar };
  if (on > date) return { after, on, due: old.due };
  // The next date counts from the due one, so that a late run moves no later date. If a whole period was missed, it counts from today.
  const following = addDays(on, daysOf(after));
  return { after, on: following > date ? following : fresh, due: on };
}

/** For each computed date, the argument with its period. */
export const periods = { rotateOn: "rotateAfter", reassertOn: "reassertAfter" } as const;

/**
 * The computed inputs of a period: the next date, and `__due`.
 *
 * @param olds the old inputs
 * @param args the new arguments
 */
export function dueDates<Name extends keyof typeof periods>(
  ctx: Context,
  resource: ResourceName,
  date: Name,
  olds: Values,
  args: Values,
  restart: boolean,
): Due & Partial<Record<Name, string>> {
  const period = periods[date];
  const old = { after: olds[period], on: olds[date], due: olds.__due } as Schedule;
  const { on, due, isTooFar } = advance(old, args[period] as Schedule["after"], ctx.now(), restart);
  const text =
    `${date} ${String(on)} is more than a period after today, ${isoDate(ctx.now())}: fix this machine's clock, or remove ` +
    `${period} once.`;
  if (isTooFar) warnOfObject(ctx, resource, args, "date-too-far", text);
  const dates = Object.entries({ [date]: on, __due: due }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(dates) as Due & Partial<Record<Name, string>>;
}

/**
 * The `__due` that the inputs of a replacement have lost: the engine has checked them once more, as those of a new object. It needs no clock,
 * because their new date is one period after today.
 */
export function dueBefore(date: keyof typeof periods, olds: Values, inputs: Values): Due {
  const period = periods[date];
  const [after, on, fresh] = [inputs[period], olds[date], inputs[date]];
  if (typeof after !== "string" || typeof on !== "string" || typeof fresh !== "string") return {};
  // Of a period that is hidden nobody knows whether it is due, and what may be sent is on the list.
  if (!isPeriod(after)) return { __due: fresh };
  const today = new Date(addDays(fresh, -daysOf(after)));
  const { due } = advance({ after: olds[period], on } as Schedule, after, today, false);
  return due === undefined ? {} : { __due: due };
}

/** Whether the inputs have a due date that the state does not. */
export function isDue(state: Due, inputs: Due): boolean {
  return inputs.__due !== undefined && inputs.__due !== state.__due;
}

/** YYYY-MM-DD in UTC. */
export function isoDate(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** False for an invalid period, which `check` refuses, and for an unknown one: the date then stays. */
function isPeriod(after: string): boolean {
  return periodPattern.test(after);
}

function daysOf(period: string): number {
  return Number(period.slice(0, -1));
}

function addDays(date: string, count: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + count);
  return isoDate(day);
}
