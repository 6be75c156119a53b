create table webhook_endpoints (
  id uuid not null,
  org_id uuid not null,
  url text not null,
  description text,
  event_types text[] not null default array[]::text[],
  filter jsonb not null default '[]',
  payload text not null default 'full',
  state text not null default 'enabled',
  disabled_reason text,
  disabled_at timestamptz(3),
  failing_since timestamptz(3),
  secret_version integer not null default 1,
  previous_secret_until timestamptz(3),
  maker_user_id text not null,
  maker_key_id uuid,
  since text not null,
  created_by_type text not null,
  created_by_id text,
  created_by_name text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  version integer not null default 1,
  constraint webhook_endpoints_pkey primary key (id),
  constraint webhook_endpoints_payload check (payload in ('full', 'thin')),
  constraint webhook_endpoints_state check (state in ('enabled', 'disabled'))
);
create index webhook_endpoints_by_time on webhook_endpoints (org_id, created_at desc, id desc);

create table webhook_deliveries (
  id uuid not null,
  org_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  type text not null,
  entity text not null,
  entity_id text not null,
  event jsonb not null,
  position bigserial not null,
  replay_of uuid,
  state text not null,
  reason text,
  body text,
  attempts integer not null default 0,
  attempt_log jsonb not null default '[]',
  response_status integer,
  due_at timestamptz(3) not null,
  lease_token uuid,
  lease_until timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_state check (state in ('waiting', 'pending', 'sending', 'delivered', 'failed', 'canceled'))
);
create index webhook_deliveries_by_time on webhook_deliveries (org_id, created_at desc, id desc);
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, created_at desc, id desc);
create index webhook_deliveries_age on webhook_deliveries using brin (created_at);
-- The queue of each entity.
create index webhook_deliveries_open on webhook_deliveries (endpoint_id, entity_id, position) where state in ('waiting', 'pending', 'sending');
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where state = 'pending';
create index webhook_deliveries_leases on webhook_deliveries (lease_until) where state = 'sending';

create table webhook_reader (
  id boolean not null default true,
  cluster text not null default '',
  since text,
  until text,
  sequence bigint not null default 0,
  generation bigint not null default 0,
  constraint webhook_reader_pkey primary key (id),
  constraint webhook_reader_single check (id)
);
insert into webhook_reader default values;
