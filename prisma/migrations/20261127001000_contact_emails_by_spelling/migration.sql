-- outside a transaction
-- contract: after 20261126235001_calls_of_deals_indexed
-- Instead of contact_emails_by_mailbox, whose condition calls a function for each new contact. The condition holds for the same addresses.
create index concurrently if not exists contact_emails_by_spelling on contact_emails (org_id, mailbox_of(address), contact_id)
  where address like '%+%' or address like '%.%@gmail.com' or address like '%@googlemail.com';
drop index concurrently if exists contact_emails_by_mailbox;
