-- The peers' tables. timestamptz(3), so that a cursor survives a trip through a JavaScript Date.
create table orgs (id uuid primary key, name text not null);
create table contacts (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references orgs (id),
  email text not null,
  first_name text,
  last_name text,
  phone text,
  company text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (org_id, email)
);
create index contacts_page on contacts (org_id, created_at desc, id desc);
create table agents (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references orgs (id),
  name text not null,
  host_app_id text,
  instructions text,
  phone_number text,
  provider text,
  provider_assistant_id text,
  dispatch_url text,
  status text not null default 'active',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index agents_org on agents (org_id);
create table calls (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references orgs (id),
  agent_id uuid not null references agents (id),
  contact_id uuid not null references contacts (id),
  direction text not null default 'outbound',
  dispatch_state text,
  status text not null,
  outcome text,
  from_number text,
  to_number text,
  provider_call_id text,
  recording_url text,
  transcript jsonb not null default '[]',
  extracted jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index calls_contact on calls (contact_id, created_at desc, id desc);
create index calls_org_day on calls (org_id, created_at) include (status);
create index calls_agent on calls (agent_id);
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references orgs (id),
  label text not null,
  hash bytea not null unique,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3)
);
create index api_keys_org on api_keys (org_id);
