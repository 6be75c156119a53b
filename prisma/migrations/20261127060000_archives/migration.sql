-- Archives: everything of an organization as one file.
create table archives (
  id uuid not null,
  org_id uuid not null,
  status text not null default 'queued',
  status_reason text,
  row_count integer not null default 0,
  byte_count bigint,
  upload_id uuid,
  created_by_type text not null,
  created_by_id text,
  created_by_name text,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  constraint archives_pkey primary key (id)
);
create index archives_by_created on archives (org_id, created_at, id);
create index archives_by_age on archives (created_at);
-- One at a time.
create unique index archives_open on archives (org_id) where status in ('queued', 'running');
