-- outside a transaction
-- Lists that show deleted contacts as well read them in their order, by stage too.
create index concurrently if not exists contacts_deleted_by_funnel on contacts (org_id, (case lifecycle_stage when 'subscriber' then '1' when 'lead' then '2' when 'qualified' then '3' when 'opportunity' then '4' when 'customer' then '5' when 'evangelist' then '6' when 'other' then '7' end collate "C"), id) where deleted_at is not null;
