-- outside a transaction
-- The links to a new password of an account that is replaced. A hash, because some values are too long for a tree.
create index concurrently if not exists idp_verifications_value_idx on idp_verifications using hash (value);
