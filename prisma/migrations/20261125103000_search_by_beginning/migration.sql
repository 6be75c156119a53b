-- outside a transaction
-- Whose name begins as what somebody types is found without collecting all that have the words. The searched text begins with the name, and
-- without one with the address. Its first 32 characters: longer ones would say no more, and take more space.
create index concurrently if not exists contacts_by_search_text on contacts (org_id, (left(search_text, 32)) collate "C")
  where deleted_at is null;
