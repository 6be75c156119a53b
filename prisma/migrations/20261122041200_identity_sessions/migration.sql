-- The identity provider's session that an application session was opened from: what ends the one ends the other. Null for those of an
-- outside provider, and for those that were opened before this column was there.
alter table sessions add column identity_session_id text;

-- Passwords tried per account, known or not. The account is the SHA-256 of its address in lower case.
create table idp_sign_in_attempts (
  account bytea primary key,
  attempts integer not null,
  began_at timestamptz(3) not null
);
