-- outside a transaction
-- The calls whose transcripts are not copied yet, so that no batch reads those of the batches before it.
create index concurrently if not exists calls_transcript_uncopied on calls (id) where transcript_lines < 0;
-- A call is locked before its transcript is written, as a writer does, in the order of ids. 100: the words of each are parsed, and a writer of
-- one of these calls waits for all of them.
-- repeat until no row changes
with uncopied as (
  select id, org_id, summary, transcript, ended_at, created_at from calls where transcript_lines < 0 order by id limit 100 for update
), copied as (
  insert into call_transcripts (id, org_id, summary, lines, written_at)
  select id, org_id, summary, transcript, coalesce(ended_at, created_at) from uncopied where summary is not null or transcript <> '[]'
  on conflict (id) do nothing
)
update calls set transcript_lines = jsonb_array_length(uncopied.transcript) from uncopied where calls.id = uncopied.id;
drop index concurrently if exists calls_transcript_uncopied;
