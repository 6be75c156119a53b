-- What the first asker's credential might do, where the answer shows what that allows; null where anybody may have it who may ask.
alter table idempotency_keys add column scopes text;
