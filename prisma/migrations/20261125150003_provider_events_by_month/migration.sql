-- contract: after 20261125150000_provider_events_stored_once
-- Events of providers by month, so that those past their retention are dropped by partition and not deleted row by row. They are partitioned by
-- their ids, which stay the primary key. Nothing is copied: the table becomes the first partition of a new one with the same name.
alter table provider_events rename to provider_events_first;
alter index provider_events_pkey rename to provider_events_first_pkey;
alter index provider_events_call_id_idx rename to provider_events_first_call_id_idx;
alter index provider_events_provider_event_key_key rename to provider_events_first_provider_event_key_key;
alter index provider_events_unapplied rename to provider_events_first_unapplied;
-- By which rows are deleted. The other partitions do without it.
alter index provider_events_by_age rename to provider_events_first_by_age;

create table provider_events_by_month (
  like provider_events_first including defaults,
  constraint provider_events_pkey primary key (id),
  constraint provider_events_state check (state in ('received', 'applied', 'ignored', 'failed'))
) partition by range (id);
create index provider_events_call_id_idx on provider_events_by_month (call_id);
-- Not unique: that an event is stored once is what `store_provider_events` sees to.
create index provider_events_by_key on provider_events_by_month (provider, event_key);
create index provider_events_unapplied on provider_events_by_month (received_at) where state in ('received', 'failed');
-- The rows satisfy the bound, which PostgreSQL knows from the constraint: they are not read again.
do $$
begin
  execute format('alter table provider_events_by_month attach partition provider_events_first for values from (minvalue) to (%L)',
    (select obj_description(oid, 'pg_constraint') from pg_constraint where conname = 'provider_events_first_bound'));
end $$;
alter table provider_events_first drop constraint provider_events_first_bound;
-- Rows of a month without a partition: none is refused.
create table provider_events_default partition of provider_events_by_month default;
alter table provider_events_by_month rename to provider_events;
