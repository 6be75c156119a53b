-- outside a transaction
-- Lists of contacts by stage, in the order of the enumeration.
create index concurrently if not exists contacts_by_funnel on contacts (org_id, (case lifecycle_stage when 'subscriber' then '1' when 'lead' then '2' when 'qualified' then '3' when 'opportunity' then '4' when 'customer' then '5' when 'evangelist' then '6' when 'other' then '7' end collate "C"), id) where deleted_at is null;
