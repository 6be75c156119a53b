-- outside a transaction
-- The merges whose data is kept, for their retention. Few: a merge can be undone for 30 days.
create index concurrently if not exists contact_merges_with_data on contact_merges (created_at) where changes <> '{}' or moved <> '{}';
create index concurrently if not exists contact_merges_undone on contact_merges (undone_at) where undone_at is not null;
