-- outside a transaction
-- A call gets its entry when it has something to find, so placing one costs nothing.
create index concurrently if not exists calls_words on calls using gin (call_words(summary, transcript))
  where summary is not null or transcript <> '[]'::jsonb;
create index concurrently if not exists voice_agents_words on voice_agents
  using gin (search_words(name || ' ' || coalesce(instructions, '') || ' ' || coalesce(first_message, '')));
