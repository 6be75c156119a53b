-- Conversations with voice agents whose dialogue this server holds, and their turns.
create table conversations (
  id uuid not null,
  org_id uuid not null,
  agent_id uuid not null,
  agent_version integer not null,
  call_id uuid,
  speaker jsonb not null,
  status text not null default 'active',
  outcome text,
  ended_reason text,
  summary text,
  extracted jsonb not null default '{}',
  turn_count integer not null default 0,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  credits_charged bigint not null default 0,
  hold_id uuid,
  claimed_until timestamptz(3),
  claim_id uuid,
  token_hash bytea,
  token_expires_at timestamptz(3),
  transfer_to text,
  reopened_count integer not null default 0,
  created_by_type text not null,
  created_by_id text,
  created_by_name text,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint conversations_pkey primary key (id)
);
create unique index conversations_call_id_key on conversations (call_id);
create unique index conversations_token_hash_key on conversations (token_hash);
create index conversations_by_agent on conversations (org_id, agent_id, created_at, id);
create index conversations_by_age on conversations (created_at);

create table conversation_turns (
  conversation_id uuid not null,
  seq integer not null,
  org_id uuid not null,
  role text not null,
  text text not null default '',
  was_interrupted boolean not null default false,
  tool_call_id text,
  tool_name text,
  tool_input jsonb,
  tool_output jsonb,
  memory jsonb,
  latency_ms integer,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  model text,
  created_at timestamptz(3) not null,
  constraint conversation_turns_pkey primary key (conversation_id, seq),
  constraint conversation_turns_conversation_id_fkey foreign key (conversation_id)
    references conversations (id) on delete cascade on update cascade
);
