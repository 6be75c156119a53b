-- What was said in calls, in a table of its own: partitioned by month, so that it can be dropped by partition while the calls stay. By the ids
-- of the calls, which begin with their time, so that the id is the primary key, and a transcript is found in one partition. No foreign key to
-- calls: it would be checked at each write, and a server that has a part of the organizations has both.
create table call_transcripts (
  -- The call's.
  id uuid not null,
  org_id uuid not null,
  -- The call's, too: an index has columns of one table, and a search finds a call by both.
  summary text,
  lines jsonb not null default '[]',
  -- When the first of it was written: a call may be placed a year before it is dialled.
  written_at timestamptz(3) not null default now(),
  constraint call_transcripts_pkey primary key (id)
) partition by range (id);
create index call_transcripts_words on call_transcripts using gin (org_id, call_words(summary, lines));
create index call_transcripts_age on call_transcripts using brin (written_at);
-- The transcripts that there are, and those of this month and the next.
create table call_transcripts_first partition of call_transcripts
  for values from (minvalue) to (least_id((date_trunc('month', now() at time zone 'UTC') + interval '2 months') at time zone 'UTC'));
-- Transcripts of a month without a partition: none is refused.
create table call_transcripts_default partition of call_transcripts default;

-- -1 in the calls that there are, until the next migration has copied their transcripts.
alter table calls add column transcript_lines integer not null default -1;
alter table calls alter column transcript_lines set default 0;

-- What the previous release writes is counted and copied. A transcript only grows, so the longer one is the newer one.
create function count_transcript_lines() returns trigger language plpgsql as $$
begin
  new.transcript_lines := greatest(new.transcript_lines, jsonb_array_length(new.transcript));
  return new;
end $$;
create trigger calls_transcript_counted before insert or update of transcript on calls
  for each row execute function count_transcript_lines();

create function copy_call_transcript() returns trigger language plpgsql as $$
begin
  insert into call_transcripts as kept (id, org_id, summary, lines) values (new.id, new.org_id, new.summary, new.transcript)
  on conflict (id) do update set summary = excluded.summary, lines = case
    when jsonb_array_length(excluded.lines) > jsonb_array_length(kept.lines) then excluded.lines else kept.lines
  end;
  return null;
end $$;
create trigger calls_transcript_inserted after insert on calls
  for each row when (new.summary is not null or new.transcript <> '[]') execute function copy_call_transcript();
create trigger calls_transcript_updated after update of summary, transcript on calls
  for each row when (new.summary is distinct from old.summary or new.transcript is distinct from old.transcript)
  execute function copy_call_transcript();
