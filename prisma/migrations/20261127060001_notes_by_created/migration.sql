-- outside a transaction

-- For archives, which read the notes of an organization page by page.
create index concurrently if not exists contact_notes_by_created on contact_notes (org_id, created_at, id);
