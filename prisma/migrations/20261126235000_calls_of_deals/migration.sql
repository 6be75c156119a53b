alter table calls add column deal_id uuid;
