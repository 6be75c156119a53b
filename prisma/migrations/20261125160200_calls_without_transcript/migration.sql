-- contract: after 20261125160100_calls_words_dropped
-- Transcripts are written to call_transcripts alone since then.
drop trigger calls_transcript_counted on calls;
drop trigger calls_transcript_inserted on calls;
drop trigger calls_transcript_updated on calls;
drop function count_transcript_lines();
drop function copy_call_transcript();
alter table calls drop column transcript;
