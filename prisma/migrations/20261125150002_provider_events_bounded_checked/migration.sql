-- outside a transaction
-- contract: after 20261125150000_provider_events_stored_once
alter table provider_events validate constraint provider_events_first_bound;
