-- outside a transaction
-- The jobs that move with a contact that is merged.
create index concurrently if not exists enrichment_jobs_by_contact on enrichment_jobs (contact_id) where contact_id is not null;
