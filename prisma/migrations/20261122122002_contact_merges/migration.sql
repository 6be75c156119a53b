create table contact_merges (
  id uuid not null,
  org_id uuid not null,
  winner_id uuid not null,
  loser_id uuid not null,
  changes jsonb not null,
  moved jsonb not null,
  created_by_type text not null,
  created_by_id text,
  created_by_name text,
  created_at timestamptz(3) not null default current_timestamp,
  undone_at timestamptz(3),
  constraint contact_merges_pkey primary key (id),
  constraint contact_merges_two check (winner_id <> loser_id)
);

-- A contact is merged into one other.
create unique index contact_merges_of_loser on contact_merges (loser_id) where undone_at is null;

-- The contact that a merged contact is part of now, through any number of merges; null for one that is not merged.
create function merged_into(organization uuid, contact uuid) returns uuid language sql stable strict parallel safe
return (
  with recursive chain (id, depth) as (
    select winner_id, 1 from contact_merges where loser_id = contact and org_id = organization and undone_at is null
    union all
    select merge.winner_id, depth + 1 from chain join contact_merges merge on merge.loser_id = chain.id and merge.undone_at is null
    where depth < 100
  )
  select id from chain order by depth desc limit 1
);
