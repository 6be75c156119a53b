-- outside a transaction
create index concurrently if not exists credit_accounts_with_successor on credit_accounts (user_id) where successor_id is not null;
