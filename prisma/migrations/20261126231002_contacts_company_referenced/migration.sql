-- contract: after 20261123140000_search_sample
-- Releases without the column write no company.
alter table contacts add constraint contacts_company_fkey foreign key (org_id, company_id) references companies (org_id, id) not valid;
