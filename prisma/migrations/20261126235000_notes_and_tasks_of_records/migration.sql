-- Notes and tasks hang on companies and deals as well: exactly one of the three ids is set.
alter table contact_notes add column company_id uuid, add column deal_id uuid, alter column contact_id drop not null;
alter table contact_tasks add column company_id uuid, add column deal_id uuid, alter column contact_id drop not null;
alter table contact_notes
  add constraint contact_notes_company_id_fkey foreign key (company_id) references companies (id) on delete cascade on update cascade not valid,
  add constraint contact_notes_deal_id_fkey foreign key (deal_id) references deals (id) on delete cascade on update cascade not valid;
alter table contact_tasks
  add constraint contact_tasks_company_id_fkey foreign key (company_id) references companies (id) on delete cascade on update cascade not valid,
  add constraint contact_tasks_deal_id_fkey foreign key (deal_id) references deals (id) on delete cascade on update cascade not valid;

-- An inbox item names its record.
alter table inbox_items add column company_id uuid, add column deal_id uuid;
