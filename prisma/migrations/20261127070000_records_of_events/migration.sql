alter table events add column company_id uuid, add column deal_id uuid;
