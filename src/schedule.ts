/**
 * Due dates as inputs. `check` is the only verb that looks at the clock: it carries the due date over from the old inputs
 * until it has come, then moves it on and notes the date that was due. So a preview shows `~ rotateOn: 2026-11-20 =>
 * 2027-02-18`, a refresh shows nothing, and diff and update compare notes without a clock.
 */

/** The part of a resource's inputs, and of its state, that a schedule lives in. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
export type Due = {
  /** The last due date that came; what differs here from the state is yet to be done. Hidden from previews by its name. */
  __due?: string;
};

export interface Schedule {
  /** The period, such as "90d"; undefined where nothing is scheduled. */
  readonly after: string | undefined;
  /** The next due date, as YYYY-MM-DD in UTC. */
  readonly on?: string | undefined;
  readonly due?: string | undefined;
}

/**
 * The schedule after `today`, given the old one.
 * @param restart whether the scheduled thing happens anyway in this update, so that the period begins anew
 */
export function advance(old: Schedule, after: string | undefined, today: Date, restart: boolean): Schedule {
  if (after === undefined) return { after, due: old.due };
  if (!isPeriod(after)) return { ...old, after };
  const date = isoDate(today);
  const fresh = addDays(date, days(after));
  if (old.on === undefined || old.after === undefined || restart) return { after, on: fresh, due: old.due };
  const on = addDays(old.on, days(after) - days(old.after));
  // Further off than a whole period, it was reckoned by a clock that was wrong; a day is what clocks may differ by.
  if (on > addDays(fresh, 1)) return { after, on: fresh, due: old.due };
  return on <= date ? { after, on: fresh, due: on } : { after, on, due: old.due };
}

/** The computed inputs of a `reassertAfter`. */
export function reassertion(
  now: Date,
  olds: Due & { reassertAfter?: string | undefined; reassertOn?: string },
  after: string | undefined,
): Due & { reassertOn?: string } {
  const { on, due } = advance({ after: olds.reassertAfter, on: olds.reassertOn, due: olds.__due }, after, now, false);
  return { ...(on && { reassertOn: on }), ...(due && { __due: due }) };
}

/** Whether the inputs name a due date that the state has not seen. */
export function isDue(state: Due, inputs: Due): boolean {
  return inputs.__due !== undefined && inputs.__due !== state.__due;
}

function isoDate(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** False for what check refuses anyway, and for a value that is not known yet: the date then stays. */
function isPeriod(after: string): boolean {
  return /^[1-9]\d{0,3}d$/.test(after);
}

function days(period: string): number {
  return Number(period.slice(0, -1));
}

function addDays(date: string, count: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + count);
  return isoDate(day);
}
