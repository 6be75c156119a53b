-- Jobs that were given up, the latest first: what operators look at.
create index enrichment_jobs_dead on enrichment_jobs (finished_at) where status = 'failed';
-- What retention looks for.
create index enrichment_jobs_finished on enrichment_jobs (finished_at) where finished_at is not null;
create index suggestions_decided on suggestions (decided_at) where decided_at is not null;
