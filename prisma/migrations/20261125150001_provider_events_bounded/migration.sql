-- contract: after 20261125150000_provider_events_stored_once
-- The events of providers that there are, and those of the next two months, become the first partition, as deliveries did: their ids begin with
-- their time. The bound is recorded as a comment for the migration that attaches it. Checked in the next migration, without a lock that
-- stops writers.
do $$
declare
  newest timestamptz := greatest(now(), (select time_of_id(id) from provider_events order by id desc limit 1));
  bound uuid := least_id((date_trunc('month', newest at time zone 'UTC') + interval '2 months') at time zone 'UTC');
begin
  execute format('alter table provider_events add constraint provider_events_first_bound check (id < %L) not valid', bound);
  execute format('comment on constraint provider_events_first_bound on provider_events is %L', bound);
end $$;
