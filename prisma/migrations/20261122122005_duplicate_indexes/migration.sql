-- outside a transaction
-- Addresses that are another spelling of a mailbox. The others are found by the address itself, so that most contacts are not in it.
create index concurrently if not exists contacts_by_mailbox on contacts (org_id, mailbox_of(email), id)
  where deleted_at is null and mailbox_of(email) <> lower(email);
create index concurrently if not exists contacts_by_name_and_company on contacts (org_id, name_and_company(full_name, company_name), id)
  where deleted_at is null and full_name is not null and company_name is not null;
