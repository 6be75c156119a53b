-- outside a transaction
create index concurrently if not exists inbox_mails_due on inbox_items (org_id, user_id, mail_at) where mail_at is not null;
