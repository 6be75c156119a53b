-- outside a transaction
-- The keys of the companies from before. `for share`: a company that changes meanwhile waits for its row, or is left out.
-- repeat until no row changes
insert into company_keys (org_id, kind, key, company_id)
select company.org_id, keys.kind, keys.key, company.id
from (
  select * from companies
  where deleted_at is null and not exists (
    select from company_keys held
    where held.org_id = companies.org_id and held.kind = 'name' and held.key = company_name_key(companies.name) and held.company_id = companies.id
  )
  limit 1000 for share
) company cross join lateral company_keys_of(domain, domains, website, phone, name) keys
on conflict do nothing;
analyze company_keys;
-- Merges read the dismissals of a record.
create index concurrently if not exists contact_duplicate_dismissals_by_second on contact_duplicate_dismissals (org_id, second_id);
