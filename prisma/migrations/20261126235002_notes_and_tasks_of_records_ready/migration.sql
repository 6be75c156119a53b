-- outside a transaction
create index concurrently if not exists contact_notes_by_company on contact_notes (company_id, pinned, created_at, id) where company_id is not null;
create index concurrently if not exists contact_notes_by_deal on contact_notes (deal_id, pinned, created_at, id) where deal_id is not null;
create index concurrently if not exists contact_tasks_by_company on contact_tasks (company_id, (coalesce(due_at, 'infinity'::timestamptz)), id) where company_id is not null;
create index concurrently if not exists contact_tasks_by_deal on contact_tasks (deal_id, (coalesce(due_at, 'infinity'::timestamptz)), id) where deal_id is not null;
alter table contact_notes validate constraint contact_notes_company_id_fkey;
alter table contact_notes validate constraint contact_notes_deal_id_fkey;
alter table contact_notes validate constraint contact_notes_of_one_record;
alter table contact_tasks validate constraint contact_tasks_company_id_fkey;
alter table contact_tasks validate constraint contact_tasks_deal_id_fkey;
alter table contact_tasks validate constraint contact_tasks_of_one_record;
