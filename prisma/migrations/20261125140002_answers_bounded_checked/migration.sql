-- outside a transaction
-- contract: after 20261125140000_answers_stored_once
alter table idempotency_keys validate constraint idempotency_keys_first_bound;
-- A key of a partitioned table has the column that it is partitioned by. That an id has one answer is what `store_answers` sees to.
create unique index concurrently if not exists idempotency_keys_first_pkey on idempotency_keys (id, created_at);
