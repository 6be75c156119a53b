-- outside a transaction
-- The list of deliveries of an organization, the newest first.
create index concurrently if not exists gateway_deliveries_by_age on gateway_deliveries (org_id, id desc);
