-- What the receipt of a write tells about its Idempotency-Key. The events of a write have its id already, as `request_id`.
alter table idempotency_keys add column operation_id uuid, add column key text, add column replays integer not null default 0;
