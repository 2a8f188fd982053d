-- The fleet's own tables, beside pg-boss's and Pulumi's in the same database. `npm run setup` creates what is missing.
-- The schema must not have the name of a role: PostgreSQL looks first in the schema that is called like the role, so Pulumi
-- would make another, empty table of states there.
create schema if not exists voiceplane_fleet;

-- The tables of earlier versions, and their schema unless Pulumi's state is in it.
do $$ begin
  if to_regclass('fleet.result') is not null and to_regclass('voiceplane_fleet.result') is null then
    alter table fleet.record set schema voiceplane_fleet;
    alter table fleet.night set schema voiceplane_fleet;
    alter table fleet.result set schema voiceplane_fleet;
    begin drop schema fleet; exception when dependent_objects_still_exist then null; end;
  end if;
end $$;

-- What the last run of an organization left, for the next one to decide whether it may skip.
create table if not exists voiceplane_fleet.record (
  organization text primary key,
  record text not null,
  updated_at timestamptz not null default now()
);

create table if not exists voiceplane_fleet.night (
  night text primary key,
  started_at timestamptz not null default now()
);
-- The version of its files.
alter table voiceplane_fleet.night add column if not exists version text;

-- The versions of whole nights, and since when the fleet has them.
create table if not exists voiceplane_fleet.version (
  version text primary key,
  since timestamptz not null default now()
);

-- One row for each organization of each night.
create table if not exists voiceplane_fleet.result (
  night text not null references voiceplane_fleet.night on delete cascade,
  organization text not null,
  state text not null default 'waiting' check (state in ('waiting', 'deferred', 'retrying', 'done')),
  outcome text check (outcome in ('skipped', 'unchanged', 'applied', 'failed')),
  reason text,
  requests integer not null default 0,
  rotations integer not null default 0,
  uncertain integer default 0,
  next_due_date date,
  notes jsonb not null default '[]',
  seconds real,
  worker text,
  finished_at timestamptz,
  primary key (night, organization)
);
alter table voiceplane_fleet.result add column if not exists pending jsonb not null default '[]';
alter table voiceplane_fleet.result add column if not exists log text;
-- The risks over the budget, of an organization that is held.
alter table voiceplane_fleet.result add column if not exists held text[];
-- That of earlier versions has no "held".
alter table voiceplane_fleet.result drop constraint if exists result_outcome_check;
alter table voiceplane_fleet.result add constraint result_outcome_check
  check (outcome in ('skipped', 'unchanged', 'applied', 'failed', 'held'));
create index if not exists result_unfinished on voiceplane_fleet.result (organization) where state <> 'done';
create index if not exists result_finished on voiceplane_fleet.result (organization, finished_at);
create index if not exists result_noted on voiceplane_fleet.result (night) where notes <> '[]';

-- The budget: which organizations may do in a night what has a risk.
create table if not exists voiceplane_fleet.spent (
  night text not null references voiceplane_fleet.night on delete cascade,
  organization text not null,
  risk text not null,
  spent_at timestamptz not null default clock_timestamp(),
  -- Whether the control plane let the worker in before the run. Null if nobody has asked yet.
  was_admitted boolean,
  -- Whether the run succeeded, and the control plane still let the worker in.
  is_checked boolean not null default false,
  primary key (night, organization, risk)
);

-- Who released a risk, or stopped a night.
create table if not exists voiceplane_fleet.decision (
  night text not null references voiceplane_fleet.night on delete cascade,
  -- Null for a stop.
  risk text,
  decided_by text not null,
  decided_at timestamptz not null default now(),
  reason text
);
