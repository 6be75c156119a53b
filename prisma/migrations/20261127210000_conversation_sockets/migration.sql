-- Conversations of calls: which socket holds one, and the token for the next socket.
alter table conversations
  add column claim_id uuid,
  add column token_hash bytea,
  add column token_expires_at timestamptz(3),
  add column reopened_count integer not null default 0;
create unique index conversations_token_hash_key on conversations (token_hash);
