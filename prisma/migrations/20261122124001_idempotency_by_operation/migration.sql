-- outside a transaction
-- The stored answer of an operation, for its receipt. Ids of operations increase with time, so the index grows at its end.
create index concurrently if not exists idempotency_keys_by_operation on idempotency_keys (operation_id);
