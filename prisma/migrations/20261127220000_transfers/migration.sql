-- Voice agents: the model that speaks, and the numbers to which calls may be transferred.
alter table voice_agents
  add column model text,
  add column transfer_to jsonb not null default '[]';
