-- outside a transaction
-- The organization is in the indexes of searches, so that one finds its own rows alone, however many other organizations have like ones.
create extension if not exists btree_gin;
create index concurrently if not exists contacts_search_by_organization on contacts using gin (org_id, search_text gin_trgm_ops)
  with (gin_pending_list_limit = 4096);
drop index concurrently if exists contacts_search;
create index concurrently if not exists calls_words_by_organization on calls using gin (org_id, call_words(summary, transcript))
  where summary is not null or transcript <> '[]'::jsonb;
drop index concurrently if exists calls_words;
create index concurrently if not exists contact_notes_words_by_organization on contact_notes using gin (org_id, search_words(text));
drop index concurrently if exists contact_notes_words;
