-- outside a transaction
create index concurrently if not exists company_backfills_due on company_backfills (worked_at nulls first, org_id) where finished_at is null;
