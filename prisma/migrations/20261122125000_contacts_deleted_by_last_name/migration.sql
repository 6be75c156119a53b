-- outside a transaction
-- Lists that show deleted contacts as well read them in their order, by name too.
create index concurrently if not exists contacts_deleted_by_last_name on contacts (org_id, (coalesce(lower(last_name), U&'\+10FFFF') collate "C"), id) where deleted_at is not null;
