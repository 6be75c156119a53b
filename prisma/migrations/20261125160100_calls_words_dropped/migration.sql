-- outside a transaction
-- contract: after 20261125160001_call_transcripts_filled
-- Calls are found by call_transcripts_words since then.
drop index concurrently if exists calls_words_by_organization;
