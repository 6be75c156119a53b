-- outside a transaction
-- The events that a client missed: those of its organization since a transaction.
create index concurrently if not exists events_by_organization on events (org_id, transaction_id);
