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
create index if not exists result_unfinished on voiceplane_fleet.result (organization) where state <> 'done';
create index if not exists result_finished on voiceplane_fleet.result (organization, finished_at);
create index if not exists result_noted on voiceplane_fleet.result (night) where notes <> '[]';
