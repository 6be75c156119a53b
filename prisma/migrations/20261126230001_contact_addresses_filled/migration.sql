-- outside a transaction
-- The addresses of the contacts from before. `for share`: a contact whose address changes meanwhile waits for its row, or is left out.
-- repeat until no row changes
insert into contact_emails (org_id, address, contact_id)
select org_id, lower(email), id from contacts
where deleted_at is null and email is not null
  and not exists (select from contact_emails held where held.org_id = contacts.org_id and held.address = lower(contacts.email))
limit 10000 for share
on conflict do nothing;
analyze contact_emails;
