/**
 * Due dates as inputs. Only `check` uses the clock: it keeps a date until it is due, then computes the next one and stores the due one in `__due`. A
 * preview shows `~ rotateOn: 2026-11-20 => 2027-02-18`, a refresh shows nothing, and diff and update compare `__due`.
 */
import { periodPattern } from "../schema/fields.js";
import type { Values } from "../values/any.js";
import type { Context } from "./context.js";

/** The underscores hide them from previews. */
export type Due = Readonly<{
  /** In inputs and state: the last date that was due. The operation is due while they differ in it. */
  __due?: string;
  /** In inputs: the period of the dates. A policy may have changed the period itself since the check. */
  __period?: string;
}>;

export interface Schedule {
  /** The period, such as "90d"; undefined if nothing is scheduled. */
  readonly after: string | undefined;
  /** The next due date, as YYYY-MM-DD in UTC. */
  readonly on?: string | undefined;
  /** The last date that was due, as in {@link Due}. */
  readonly due?: string | undefined;
}

/**
 * The schedule after `today`. A wrong clock never moves a date backward.
 * @param restart whether this update does the scheduled operation for another reason, which starts the period again
 */
export function advance(old: Schedule, after: string | undefined, today: Date, restart: boolean): Schedule {
  if (after === undefined) return { after, due: old.due };
  // An invalid period, which check refuses, and one that is unknown: the date stays.
  if (!isPeriod(after)) return { ...old, after };
  const date = isoDate(today);
  const fresh = addDays(date, daysOf(after));
  if (old.on === undefined || old.after === undefined || !isPeriod(old.after))
    return { after, on: fresh, due: old.due };
  const on = addDays(old.on, daysOf(after) - daysOf(old.after));
  // This update also does what was due. The date of an earlier clock that was right may be later.
  if (restart) return { after, on: on > fresh ? on : fresh };
  if (on > date) return { after, on, due: old.due };
  // The next date counts from the due one, so that a late run moves no later date. If a whole period was missed, it counts from today.
  const following = addDays(on, daysOf(after));
  return { after, on: following > date ? following : fresh, due: on };
}

/** For each computed date, the argument with its period. */
export const periods = { rotateOn: "rotateAfter", reassertOn: "reassertAfter" } as const;

/** The computed inputs of a period, from the old inputs and the new arguments. */
export function dueDates<Name extends keyof typeof periods>(
  ctx: Context,
  date: Name,
  olds: Values,
  args: Values,
  restart: boolean,
): Due & Partial<Record<Name, string>> {
  const period = periods[date];
  const old = { after: olds.__period ?? olds[period], on: olds[date], due: olds.__due } as Schedule;
  const { after, on, due } = advance(old, args[period] as Schedule["after"], ctx.now(), restart);
  const dates = Object.entries({ [date]: on, __due: due, __period: after }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(dates) as Due & Partial<Record<Name, string>>;
}

/** Whether the inputs have a due date that the state does not. */
export const isDue = (state: Due, inputs: Due): boolean => inputs.__due !== undefined && inputs.__due !== state.__due;

export const isOver = (since: string, period: string, now: Date): boolean =>
  addDays(since.slice(0, 10), daysOf(period)) <= isoDate(now);

/** YYYY-MM-DD in UTC. */
export const isoDate = (date: Date): string => date.toISOString().slice(0, 10);

export const isPeriod = (after: string): boolean => periodPattern.test(after);

export const daysOf = (period: string): number => Number(period.slice(0, -1));

export function addDays(date: string, count: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + count);
  return isoDate(day);
}
