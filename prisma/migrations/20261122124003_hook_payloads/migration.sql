-- The last payloads of mapped hooks, redacted and bounded, for the people of the gateway. Kept for seven days.
create table hook_payloads (
  id uuid primary key,
  org_id uuid not null,
  hook text not null,
  mapping text,
  status smallint not null,
  error text,
  headers jsonb not null,
  payload jsonb not null,
  is_truncated boolean not null,
  received_at timestamptz(3) not null
);
create index hook_payloads_by_age on hook_payloads (org_id, id desc);
create index hook_payloads_by_hook on hook_payloads (org_id, hook, id desc);
