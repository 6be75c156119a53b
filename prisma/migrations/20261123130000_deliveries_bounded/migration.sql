-- contract: after 20261123091500_counts_in_one_order
-- The deliveries that there are, and those of this week and the next, become the first partition, as events did. Their ids begin with their
-- time. The bound is recorded as a comment for the migration that attaches it. Checked in the next migration, without a lock that stops writers.

-- The least id of a time: the first 48 bits of a UUIDv7 are milliseconds.
create function least_id(moment timestamptz) returns uuid language sql immutable strict parallel safe as $$
  select rpad(lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;
create function time_of_id(id uuid) returns timestamptz language sql immutable strict parallel safe as $$
  select to_timestamp(('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)
$$;

do $$
declare
  newest timestamptz := greatest(now(), (select time_of_id(id) from webhook_deliveries order by id desc limit 1));
  bound uuid := least_id((date_trunc('week', newest at time zone 'UTC') + interval '2 weeks') at time zone 'UTC');
begin
  execute format('alter table webhook_deliveries add constraint webhook_deliveries_first_bound check (id < %L) not valid', bound);
  execute format('comment on constraint webhook_deliveries_first_bound on webhook_deliveries is %L', bound);
end $$;
