-- outside a transaction
create index concurrently if not exists uploads_by_origin on uploads (derived_from_id);
