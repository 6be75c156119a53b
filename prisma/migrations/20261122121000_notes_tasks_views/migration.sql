create table contact_notes (
  id uuid not null,
  org_id uuid not null,
  contact_id uuid not null,
  text text not null,
  pinned boolean not null default false,
  created_by_type text not null,
  created_by_id text,
  created_by_name text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  version integer not null default 1,
  constraint contact_notes_pkey primary key (id)
);

create table contact_tasks (
  id uuid not null,
  org_id uuid not null,
  contact_id uuid not null,
  title text not null,
  description text,
  status text not null default 'open',
  due_at timestamptz(3),
  assignee_user_id text,
  remind_at timestamptz(3),
  reminded_at timestamptz(3),
  completed_at timestamptz(3),
  created_by_type text not null,
  created_by_id text,
  created_by_name text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  version integer not null default 1,
  constraint contact_tasks_pkey primary key (id),
  constraint contact_tasks_status check (status in ('open', 'done', 'canceled'))
);

create table saved_views (
  id uuid not null,
  org_id uuid not null,
  owner_user_id text,
  noun text not null,
  name text not null,
  filter jsonb not null default '{}',
  sort text,
  columns text[] not null default array[]::text[],
  is_shared boolean not null default false,
  is_default boolean not null default false,
  position integer not null,
  created_by_type text not null,
  created_by_id text,
  created_by_name text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  version integer not null default 1,
  constraint saved_views_pkey primary key (id),
  -- A view that nobody owns is for everybody.
  constraint saved_views_owner check (is_shared or owner_user_id is not null)
);

alter table contact_notes add constraint contact_notes_contact_id_fkey
  foreign key (contact_id) references contacts (id) on delete cascade on update cascade;
alter table contact_tasks add constraint contact_tasks_contact_id_fkey
  foreign key (contact_id) references contacts (id) on delete cascade on update cascade;

-- Pinned notes first, then the newest: the index is read backwards.
create index contact_notes_by_contact on contact_notes (contact_id, pinned, created_at, id);

-- Lists of tasks by due time; those without one come last.
create index contact_tasks_by_contact on contact_tasks (contact_id, (coalesce(due_at, 'infinity'::timestamptz)), id);
create index contact_tasks_by_due on contact_tasks (org_id, status, (coalesce(due_at, 'infinity'::timestamptz)), id);
create index contact_tasks_by_assignee on contact_tasks (org_id, assignee_user_id, status, (coalesce(due_at, 'infinity'::timestamptz)), id)
  where assignee_user_id is not null;
create index contact_tasks_by_created on contact_tasks (org_id, created_at, id);

create index saved_views_by_position on saved_views (org_id, position, id);
create unique index saved_views_default on saved_views (org_id, owner_user_id, noun) where is_default and not is_shared;
create unique index saved_views_shared_default on saved_views (org_id, noun) where is_default and is_shared;
