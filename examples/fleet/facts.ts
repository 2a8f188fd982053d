/** What the page and the metrics show of the whole fleet. Each query is bounded, however many nights are kept. */
import { withConnection, type Queryable } from "./database.ts";
import { organizationNames } from "./settings.ts";

export const shownNights = 14;
export const shownDays = 14;
/** Of each list. */
export const shownRows = 100;
const shownNames = 5;

export interface Night {
  readonly startedAt: Date;
  readonly version: string | null;
  readonly applied: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly failed: number;
  readonly unfinished: number;
  readonly rotations: number;
}

/** `total` counts those that are not shown, too. */
interface Problem {
  readonly organization: string;
  readonly outcome: string;
  readonly due: string | null;
  readonly reason: string | null;
  readonly log: string | null;
  readonly worker: string | null;
  readonly finishedAt: Date;
  readonly total: number;
}

export interface Facts {
  readonly organizations: number;
  readonly now: Date;
  readonly nights: readonly Night[];
  readonly problems: readonly Problem[];
  readonly due: readonly { readonly day: string; readonly count: number; readonly names: readonly string[] }[];
  readonly again: readonly {
    readonly organization: string;
    readonly startedAt: Date;
    readonly why: readonly string[];
  }[];
}

/** The newest result of each organization of $1: one look into an index for each. */
export const latest = `named as (select unnest($1::text[]) as organization),
  latest as (
    select newest.* from named cross join lateral (
      select * from voiceplane_fleet.result where result.organization = named.organization and finished_at is not null
      order by finished_at desc limit 1) as newest)`;

export async function readFacts(): Promise<Facts> {
  const names = organizationNames();
  return briefly(async (client) => {
    const rowsOf = async <T>(text: string, values: unknown[]) => (await client.query<T & object>(text, values)).rows;
    const nights = await rowsOf<Night>(
      `select started_at as "startedAt", version, counted.*
      from (select * from voiceplane_fleet.night order by started_at desc limit $1) as night cross join lateral (
        select ${["applied", "unchanged", "skipped", "failed"]
          .map((outcome) => `count(*) filter (where outcome = '${outcome}') as ${outcome}`)
          .join(", ")},
          count(*) filter (where outcome is null) as unfinished, coalesce(sum(rotations), 0) as rotations
        from voiceplane_fleet.result where result.night = night.night) as counted
      order by started_at desc`,
      [shownNights],
    );
    const problems = await rowsOf<Problem>(
      `with ${latest} select organization, outcome, next_due_date as due, reason, log, worker,
        finished_at as "finishedAt", count(*) over () as total
      from latest where outcome = 'failed' or next_due_date < $2
      order by outcome <> 'failed', organization limit $3`,
      [names, today(), shownRows],
    );
    const due = await rowsOf<Facts["due"][number]>(
      `with ${latest} select next_due_date as day, count(*),
        (array_agg(organization order by organization))[1:$4::integer] as names
      from latest where next_due_date >= $2 and next_due_date < $2::date + $3::integer group by 1 order by 1`,
      [names, today(), shownDays, shownNames],
    );
    const again = await rowsOf<Facts["again"][number]>(
      `select organization, started_at as "startedAt", array(
          select note from jsonb_array_elements_text(notes) as note where note like '% was rotated again %') as why
      from (select * from voiceplane_fleet.night order by started_at desc limit $1) as night join voiceplane_fleet.result using (night)
      where notes <> '[]' and notes::text like '% was rotated again %'
      order by started_at desc, organization limit $2`,
      [shownNights, shownRows],
    );
    return { organizations: names.length, now: new Date(), nights, problems, due, again };
  });
}

/** A slow query is stopped. To compile one would take longer than to run it. */
export function briefly<T>(action: (client: Queryable) => Promise<T>): Promise<T> {
  return withConnection(async (client) => {
    await client.query("set jit = off; set statement_timeout = '10s'");
    return action(client);
  });
}

/** Who asks during an answer gets the same one. */
export function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= read().finally(() => {
      running = undefined;
    }));
}

/** In UTC, as the due dates are. */
const today = (): string => new Date().toISOString().slice(0, 10);
