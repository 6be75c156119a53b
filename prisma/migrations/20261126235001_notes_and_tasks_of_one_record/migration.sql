-- All programs since then write the contact, or exactly one of the three ids.
-- contract: after 20261122121000_notes_tasks_views
alter table contact_notes
  add constraint contact_notes_of_one_record check (num_nonnulls(contact_id, company_id, deal_id) = 1) not valid;
alter table contact_tasks
  add constraint contact_tasks_of_one_record check (num_nonnulls(contact_id, company_id, deal_id) = 1) not valid;
