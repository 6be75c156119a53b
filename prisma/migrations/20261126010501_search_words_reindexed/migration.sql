-- outside a transaction
-- Of the texts with these words, only what was said in calls is ever that long.
reindex index concurrently call_transcripts_words;
