-- outside a transaction

create index concurrently if not exists enrichment_jobs_by_company on enrichment_jobs (company_id) where company_id is not null;
create index concurrently if not exists suggestions_by_company on suggestions (company_id, created_at, id) where company_id is not null;
