-- outside a transaction
alter table contacts validate constraint contacts_company_fkey;
