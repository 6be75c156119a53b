-- The ids that records, notes and tasks have in other systems. Exactly one of the five ids is set.
create table external_ids (
  id uuid primary key,
  org_id uuid not null,
  noun text not null,
  source text not null,
  external_id text not null,
  contact_id uuid references contacts (id) on delete cascade on update cascade,
  company_id uuid references companies (id) on delete cascade on update cascade,
  deal_id uuid references deals (id) on delete cascade on update cascade,
  note_id uuid references contact_notes (id) on delete cascade on update cascade,
  task_id uuid references contact_tasks (id) on delete cascade on update cascade,
  created_at timestamptz(3) not null default current_timestamp,
  constraint external_ids_of_one check (num_nonnulls(contact_id, company_id, deal_id, note_id, task_id) = 1)
);
create unique index external_ids_once on external_ids (org_id, noun, source, external_id);
create index external_ids_of_contacts on external_ids (contact_id) where contact_id is not null;
create index external_ids_of_companies on external_ids (company_id) where company_id is not null;
create index external_ids_of_deals on external_ids (deal_id) where deal_id is not null;
create index external_ids_of_notes on external_ids (note_id) where note_id is not null;
create index external_ids_of_tasks on external_ids (task_id) where task_id is not null;

-- What the rows of a file become, the system that wrote it, and the import that it is a part of.
alter table contact_imports add column noun text not null default 'contact', add column source text, add column part_of uuid;
