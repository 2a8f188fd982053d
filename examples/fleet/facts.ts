/** What the page and the metrics show of the whole fleet. Each query is bounded, however many nights are kept. */
import { withConnection, type Queryable } from "./database.ts";
import { organizationNames } from "./settings.ts";
import { decisionText } from "./summary.ts";

export const shown = { nights: 14, days: 14, rows: 100, names: 5 } as const;

export const outcomes = ["applied", "unchanged", "skipped", "failed", "held", "unfinished"] as const;

export interface Night extends Readonly<Record<(typeof outcomes)[number], number>> {
  readonly startedAt: Date;
  readonly version: string | null;
  readonly rotations: number;
  /** Who released a risk or stopped it. */
  readonly decisions: readonly string[];
}

/** Organizations with the same in the same night: what they have in common, and the first ones by name. */
interface Group {
  readonly count: number;
  readonly names: readonly string[];
  readonly reason: string | null;
}

interface Problem extends Group, Readonly<Record<"due" | "log" | "worker", string | null>> {
  readonly outcome: string;
  /** Of the last one. */
  readonly finishedAt: Date;
}

interface Held extends Group {
  readonly night: string;
  readonly risks: readonly string[];
}

export interface Facts {
  readonly organizations: number;
  readonly now: Date;
  readonly nights: readonly Night[];
  readonly problems: readonly Problem[];
  readonly held: readonly Held[];
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

const newestNights = `(select * from voiceplane_fleet.night order by started_at desc limit ${shown.nights}) as night`;
const counts = outcomes.map((outcome) =>
  outcome === "unfinished"
    ? "count(*) filter (where outcome is null) as unfinished"
    : `count(*) filter (where outcome = '${outcome}') as ${outcome}`,
);

const groupOf = `count(*), (array_agg(organization order by organization))[1:${shown.names}] as names`;

/** A template's mistake is at the same place of each file. */
const commonReason = `replace(reason, 'organizations/' || organization || '.yaml', 'organizations/….yaml')`;

const queries = {
  nights: `select started_at as "startedAt", version, counted.*, array(
        select ${decisionText} from voiceplane_fleet.decision where decision.night = night.night
        order by decided_at, risk limit ${shown.rows}) as decisions from ${newestNights} cross join lateral (
      select ${counts.join(", ")}, coalesce(sum(rotations), 0) as rotations
      from voiceplane_fleet.result where result.night = night.night) as counted
    order by started_at desc`,
  problems: `with ${latest}, problem as (
      select *, outcome <> 'failed' as is_overdue, case when outcome = 'failed' then ${commonReason} end as common
      from latest where outcome = 'failed' or (next_due_date < $2 and outcome <> 'held'))
    select ${groupOf}, common as reason, min(outcome) as outcome, min(next_due_date) as due,
      (array_agg(log order by organization))[1] as log, (array_agg(worker order by organization))[1] as worker,
      max(finished_at) as "finishedAt"
    from problem group by is_overdue, common order by is_overdue, count(*) desc, common limit ${shown.rows}`,
  held: `with ${latest} select ${groupOf}, ${commonReason} as reason, night, held as risks
    from latest where outcome = 'held' group by night, held, ${commonReason}
    order by night desc, count(*) desc limit ${shown.rows}`,
  due: `with ${latest} select next_due_date as day, ${groupOf}
    from latest where next_due_date >= $2 and next_due_date < $2::date + ${shown.days} group by 1 order by 1`,
  again: `select organization, started_at as "startedAt", array(
        select note from jsonb_array_elements_text(notes) as note where note like '% was rotated again %') as why
    from ${newestNights} join voiceplane_fleet.result using (night)
    where notes <> '[]' and notes::text like '% was rotated again %'
    order by started_at desc, organization limit ${shown.rows}`,
};

export function readFacts(): Promise<Facts> {
  const names = organizationNames();
  const now = new Date();
  // In UTC, as the due dates are.
  const ofLatest = [names, now.toISOString().slice(0, 10)];
  return briefly(async (client) => {
    const rowsOf = async <Name extends keyof typeof queries>(name: Name, values: unknown[] = []) =>
      (await client.query<Facts[Name][number]>(queries[name], values)).rows;
    return {
      organizations: names.length,
      now,
      nights: await rowsOf("nights"),
      problems: await rowsOf("problems", ofLatest),
      held: await rowsOf("held", [names]),
      due: await rowsOf("due", ofLatest),
      again: await rowsOf("again"),
    };
  });
}

/** A slow query is stopped. To compile one would take longer than to run it. */
export const briefly = <T>(action: (client: Queryable) => Promise<T>): Promise<T> =>
  withConnection(async (client) => {
    await client.query("set jit = off; set statement_timeout = '10s'");
    return action(client);
  });
