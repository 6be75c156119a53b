-- outside a transaction
-- A page of contacts of one lifecycle stage reads its own rows alone, however rare the stage is.
create index concurrently if not exists contacts_by_stage on contacts (org_id, lifecycle_stage, created_at, id) where deleted_at is null;
