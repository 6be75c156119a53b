-- outside a transaction
-- A page of trials reads its own rows alone, and there are few.
create index concurrently if not exists calls_trials on calls (org_id, created_at, id) where is_trial;
