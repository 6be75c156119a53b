-- contract: after 20261125140000_answers_stored_once
-- The answers that there are, and those of the next week, become the first partition, as events did. The bound is recorded as a comment for the
-- migration that attaches it. Checked in the next migration, without a lock that stops writers.
do $$
declare
  bound text := to_char(date_trunc('day', greatest(now(), (select max(created_at) from idempotency_keys)) at time zone 'UTC') + interval '8 days',
    'YYYY-MM-DD"T"HH24:MI:SS"Z"');
begin
  execute format('alter table idempotency_keys add constraint idempotency_keys_first_bound check (created_at < %L) not valid', bound);
  execute format('comment on constraint idempotency_keys_first_bound on idempotency_keys is %L', bound);
end $$;
