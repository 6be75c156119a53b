-- outside a transaction
-- One organization's agents are found without reading those of the others.
create index concurrently if not exists voice_agents_words_by_organization on voice_agents
  using gin (org_id, search_words(name || ' ' || coalesce(instructions, '') || ' ' || coalesce(first_message, '')));
drop index concurrently if exists voice_agents_words;
-- PostgreSQL reads an expression from the index alone only if the index has its columns as well. At most 601 characters of 4 bytes, which
-- is below the limit of 2,704 bytes for an entry.
create index concurrently if not exists contacts_by_name_in_company on contacts (org_id, name_and_company(full_name, company_name), id)
  include (full_name, company_name) where deleted_at is null and full_name is not null and company_name is not null;
drop index concurrently if exists contacts_by_name_and_company;
