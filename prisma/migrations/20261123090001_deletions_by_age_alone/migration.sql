-- outside a transaction
-- contract: after 20261123050002_events_by_month
-- The indexes that those of the migration before replace. No statement names an index.
drop index concurrently if exists idempotency_keys_created_at_idx;
drop index concurrently if exists provider_events_received_at_idx;
drop index concurrently if exists webhook_deliveries_age;
drop index concurrently if exists gateway_events_age;
