alter table enrichment_jobs add column company_id uuid;
alter table suggestions add column company_id uuid;
