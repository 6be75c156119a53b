-- outside a transaction
-- Lists that show deleted contacts as well read them in their order, by address too.
create index concurrently if not exists contacts_deleted_by_email on contacts (org_id, (coalesce(lower(email), U&'\+10FFFF' || id::text) collate "C"), id) where deleted_at is not null;
