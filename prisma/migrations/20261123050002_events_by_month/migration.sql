-- contract: after 20261123023452_oauth_client_documents
-- Events by month, so that those past their retention are dropped by partition and not deleted row by row. Nothing is copied: the table
-- becomes the first partition of a new one with the same name, whose indexes are those that it has.
-- Statements of the previous release read and write the new table, as prepared ones do: what goes is a key that no statement names.
alter table events rename to events_first;
alter index events_timeline rename to events_first_timeline;
alter index events_by_organization rename to events_first_by_organization;
alter index events_outbox rename to events_first_outbox;
alter index events_age rename to events_first_age;
alter table events_first drop constraint events_pkey, add constraint events_first_pkey primary key using index events_first_pkey;

create table events_by_month (like events_first including defaults) partition by range (created_at);
alter table events_by_month add constraint events_pkey primary key (id, created_at);
create index events_timeline on events_by_month (contact_id, created_at desc, id desc);
create index events_by_organization on events_by_month (org_id, transaction_id);
create index events_outbox on events_by_month (transaction_id, id);
create index events_age on events_by_month using brin (created_at);
alter sequence events_sequence_seq owned by events_by_month.sequence;
-- The rows satisfy the bound, which PostgreSQL knows from the constraint: they are not read again.
do $$
begin
  execute format('alter table events_by_month attach partition events_first for values from (minvalue) to (%L)',
    (select obj_description(oid, 'pg_constraint') from pg_constraint where conname = 'events_first_bound'));
end $$;
alter table events_first drop constraint events_first_bound;
-- Rows of a month without a partition: none is refused.
create table events_default partition of events_by_month default;
alter table events_by_month rename to events;

-- The partitions of a table with their bounds; null where there is no bound, and for the default partition.
create function month_partitions(parent regclass) returns table (name name, since timestamptz, until timestamptz) language sql stable as $$
  select c.relname, substring(bounds from 'FROM \(''([^'']+)''')::timestamptz, substring(bounds from 'TO \(''([^'']+)''')::timestamptz
  from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join lateral pg_get_expr(c.relpartbound, c.oid) as bounds
  where i.inhparent = parent
$$;

-- Adds the partition of the month of $2 (in UTC), unless there is one. Rows of that month in the default partition are moved. Readers and
-- writers wait 0.5 s at most: where the lock is not free by then, nothing is done. Returns whether it is there.
create function add_month_partition(parent regclass, moment timestamptz) returns boolean language plpgsql
set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
  table_name name := (select relname from pg_class where oid = parent);
  first timestamptz := date_trunc('month', moment);
  next timestamptz := first + interval '1 month';
  added text := format('%s_%s', table_name, to_char(first, 'YYYY_MM'));
begin
  if exists (select from month_partitions(parent) p where coalesce(p.since, '-infinity') <= first and p.until > first) then
    return true;
  end if;
  execute format('create table %I (like %I including defaults including indexes)', added, table_name);
  execute format('lock table %I in access exclusive mode', table_name || '_default');
  execute format('with moved as (delete from %I where created_at >= %L and created_at < %L returning *) insert into %I select * from moved',
    table_name || '_default', first, next, added);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', table_name, added, first, next);
  return true;
-- Another process has the lock, or was faster.
exception when lock_not_available or duplicate_table then
  return false;
end $$;

-- Drops one partition whose rows are all older than $2. Returns its name; null when there is none, or the lock was not free within 0.5 s.
create function drop_past_partition(parent regclass, before timestamptz) returns text language plpgsql
set lock_timeout = '500ms' as $$
declare
  past text := (select p.name from month_partitions(parent) p where p.until <= before order by p.until limit 1);
begin
  if past is not null then
    execute format('drop table %I', past);
  end if;
  return past;
exception when lock_not_available then
  return null;
end $$;
