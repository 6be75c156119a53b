-- outside a transaction

create index concurrently if not exists deals_by_close on deals (org_id, (coalesce(expected_close, 'infinity'::date)), id) where deleted_at is null;
