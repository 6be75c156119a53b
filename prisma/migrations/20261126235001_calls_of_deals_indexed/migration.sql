-- outside a transaction

create index concurrently if not exists calls_by_deal on calls (deal_id, created_at, id) where deal_id is not null;
