-- outside a transaction
reindex index concurrently contact_notes_words_by_organization;
reindex index concurrently voice_agents_words_by_organization;
reindex index concurrently call_transcripts_words;
-- The contacts that are not refreshed yet, so that no batch reads those of the batches before it. In ASCII only initials and backquotes are
-- read in another way: the function, which takes time, is not asked about other texts.
create index concurrently if not exists contacts_search_stale on contacts (id) where search_text || ' | ' || coalesce(full_name, '') || ' | ' || coalesce(first_name, '') || ' | ' || coalesce(last_name, '') || ' | ' || coalesce(company_name, '') ~ '[^\x01-\x5F\x61-\x7F]|\m[[:alpha:]](?:\. ?| )[[:alpha:]]\M'
  and search_text is distinct from contact_search_respelt(search_text, coalesce(full_name, '') || ' | ' || coalesce(first_name, '') || ' | ' || coalesce(last_name, '') || ' | ' || coalesce(company_name, ''));
-- repeat until no row changes
update contacts set search_text = contact_search_respelt(search_text, coalesce(full_name, '') || ' | ' || coalesce(first_name, '') || ' | ' || coalesce(last_name, '') || ' | ' || coalesce(company_name, ''))
where id in (
  select id from contacts where search_text || ' | ' || coalesce(full_name, '') || ' | ' || coalesce(first_name, '') || ' | ' || coalesce(last_name, '') || ' | ' || coalesce(company_name, '') ~ '[^\x01-\x5F\x61-\x7F]|\m[[:alpha:]](?:\. ?| )[[:alpha:]]\M'
    and search_text is distinct from contact_search_respelt(search_text, coalesce(full_name, '') || ' | ' || coalesce(first_name, '') || ' | ' || coalesce(last_name, '') || ' | ' || coalesce(company_name, ''))
  order by id limit 500 for update
);
drop index concurrently if exists contacts_search_stale;
