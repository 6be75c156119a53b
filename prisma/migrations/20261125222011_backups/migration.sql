-- When backups of this database ended, for the metrics: rolocom backup says so here, and an operator's own backup can.
create table backups (
  ended_at timestamptz(6) not null default current_timestamp,
  constraint backups_pkey primary key (ended_at)
);
