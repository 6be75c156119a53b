-- outside a transaction
-- contract: after 20261123140000_search_sample
-- The id alone is unique already, so no release can write a pair twice.
create unique index concurrently if not exists companies_org_id_id_key on companies (org_id, id);
-- The contacts of a company in the order of creation, deleted ones too: their values follow the company as well.
create index concurrently if not exists contacts_by_company on contacts (org_id, company_id, created_at, id) where company_id is not null;
