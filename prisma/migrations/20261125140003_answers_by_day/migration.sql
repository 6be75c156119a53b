-- contract: after 20261125140000_answers_stored_once
-- Answers by day, so that those past their retention are dropped by partition and not deleted row by row. Nothing is copied: the table becomes
-- the first partition of a new one with the same name, whose indexes are those that it has.
alter table idempotency_keys rename to idempotency_keys_first;
alter index idempotency_keys_by_operation rename to idempotency_keys_first_by_operation;
-- By which rows are deleted. The other partitions do without it.
alter index idempotency_keys_by_age rename to idempotency_keys_first_by_age;
alter table idempotency_keys_first drop constraint idempotency_keys_pkey,
  add constraint idempotency_keys_first_pkey primary key using index idempotency_keys_first_pkey;

create table idempotency_keys_by_day (like idempotency_keys_first including defaults) partition by range (created_at);
alter table idempotency_keys_by_day add constraint idempotency_keys_pkey primary key (id, created_at);
create index idempotency_keys_by_operation on idempotency_keys_by_day (operation_id);
-- The rows satisfy the bound, which PostgreSQL knows from the constraint: they are not read again.
do $$
begin
  execute format('alter table idempotency_keys_by_day attach partition idempotency_keys_first for values from (minvalue) to (%L)',
    (select obj_description(oid, 'pg_constraint') from pg_constraint where conname = 'idempotency_keys_first_bound'));
end $$;
alter table idempotency_keys_first drop constraint idempotency_keys_first_bound;
-- Rows of a day without a partition: none is refused.
create table idempotency_keys_default partition of idempotency_keys_by_day default;
alter table idempotency_keys_by_day rename to idempotency_keys;
