-- contract: after 20261123091500_counts_in_one_order
-- Deliveries by week, so that those past their retention are dropped by partition and not deleted row by row. They are partitioned by their
-- ids, which stay the primary key, and by which they are found in one partition. Nothing is copied: the table becomes the first partition of
-- a new one with the same name. Statements of the previous release read and write the new table, as prepared ones do.
alter table webhook_deliveries rename to webhook_deliveries_first;
alter index webhook_deliveries_pkey rename to webhook_deliveries_first_pkey;
alter index webhook_deliveries_by_time rename to webhook_deliveries_first_by_time;
alter index webhook_deliveries_by_endpoint rename to webhook_deliveries_first_by_endpoint;
alter index webhook_deliveries_open rename to webhook_deliveries_first_open;
alter index webhook_deliveries_due rename to webhook_deliveries_first_due;
alter index webhook_deliveries_leases rename to webhook_deliveries_first_leases;
-- Used by the previous release, to delete rows. The other partitions do without it.
alter index webhook_deliveries_over rename to webhook_deliveries_first_over;

create table webhook_deliveries_by_week (
  like webhook_deliveries_first including defaults,
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_state check (state in ('waiting', 'pending', 'sending', 'delivered', 'failed', 'canceled'))
) partition by range (id);
create index webhook_deliveries_by_time on webhook_deliveries_by_week (org_id, created_at desc, id desc);
create index webhook_deliveries_by_endpoint on webhook_deliveries_by_week (endpoint_id, created_at desc, id desc);
create index webhook_deliveries_open on webhook_deliveries_by_week (endpoint_id, entity_id, position)
  where state in ('waiting', 'pending', 'sending');
create index webhook_deliveries_due on webhook_deliveries_by_week (endpoint_id, due_at) where state = 'pending';
create index webhook_deliveries_leases on webhook_deliveries_by_week (lease_until) where state = 'sending';
alter sequence webhook_deliveries_position_seq owned by webhook_deliveries_by_week.position;
-- The rows satisfy the bound, which PostgreSQL knows from the constraint: they are not read again.
do $$
begin
  execute format('alter table webhook_deliveries_by_week attach partition webhook_deliveries_first for values from (minvalue) to (%L)',
    (select obj_description(oid, 'pg_constraint') from pg_constraint where conname = 'webhook_deliveries_first_bound'));
end $$;
alter table webhook_deliveries_first drop constraint webhook_deliveries_first_bound;
-- Rows of a week without a partition: none is refused.
create table webhook_deliveries_default partition of webhook_deliveries_by_week default;
alter table webhook_deliveries_by_week rename to webhook_deliveries;

-- The partitions of a table, by a time or by ids that begin with one; null where there is no bound, and for the default partition.
create function partition_moment(bound text) returns timestamptz language sql stable strict as $$
  select case when bound ~ '^[0-9a-f]{8}-' then time_of_id(bound::uuid) else bound::timestamptz end
$$;
create function partitions_of(parent regclass) returns table (name name, since timestamptz, until timestamptz) language sql stable as $$
  select c.relname, partition_moment(substring(bounds from 'FROM \(''([^'']+)''')), partition_moment(substring(bounds from 'TO \(''([^'']+)'''))
  from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join lateral pg_get_expr(c.relpartbound, c.oid) as bounds
  where i.inhparent = parent
$$;

-- Adds the partition of the month or week of $3 (in UTC), unless there is one. Rows of that time in the default partition are moved. Readers
-- and writers wait 0.5 s at most: where the lock is not free by then, nothing is done. Returns whether it is there.
create function add_partition(parent regclass, unit text, moment timestamptz) returns boolean language plpgsql
set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
  table_name name := (select relname from pg_class where oid = parent);
  first timestamptz := date_trunc(unit, moment);
  next timestamptz := first + ('1 ' || unit)::interval;
  added text := format('%s_%s', table_name, to_char(first, case unit when 'month' then 'YYYY_MM' else 'YYYY_MM_DD' end));
  key name := (select attname from pg_partitioned_table join pg_attribute on attrelid = partrelid and attnum = partattrs[0] where partrelid = parent);
  since text := case key when 'id' then least_id(first)::text else first::text end;
  until text := case key when 'id' then least_id(next)::text else next::text end;
begin
  if exists (select from partitions_of(parent) p where coalesce(p.since, '-infinity') <= first and p.until > first) then
    return true;
  end if;
  execute format('create table %I (like %I including defaults including constraints including indexes)', added, table_name);
  execute format('lock table %I in access exclusive mode', table_name || '_default');
  execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *) insert into %5$I select * from moved',
    table_name || '_default', key, since, until, added);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', table_name, added, since, until);
  return true;
-- Another process has the lock, or was faster.
exception when lock_not_available or duplicate_table then
  return false;
end $$;

-- Drops one partition whose rows are all older than $2, and none of which satisfies $3. Returns its name; null when there is none, or the lock
-- was not free within 0.5 s. No row may begin to satisfy $3 later: this is asked before the lock is taken.
drop function drop_past_partition(regclass, timestamptz);
create function drop_past_partition(parent regclass, before timestamptz, used text default 'false') returns text language plpgsql
set lock_timeout = '500ms' as $$
declare
  past text;
  is_used boolean;
begin
  for past in select p.name from partitions_of(parent) p where p.until <= before order by p.until loop
    execute format('select exists (select from %I where %s)', past, used) into is_used;
    if not is_used then
      execute format('drop table %I', past);
      return past;
    end if;
  end loop;
  return null;
exception when lock_not_available then
  return null;
end $$;

-- As the previous release calls it.
create or replace function add_month_partition(parent regclass, moment timestamptz) returns boolean language sql as $$
  select add_partition(parent, 'month', moment)
$$;
drop function month_partitions(regclass);
