-- What the full-text search compares: lower case, without accents, ASCII punctuation as spaces, so that `ada@example.com` is three words.
-- kernel/search/words.ts does the same with queries. 100,000 characters: a tsvector holds at most 1 MB.
create function search_words(content text) returns tsvector language sql immutable strict parallel safe cost 1000
return to_tsvector('simple'::regconfig, regexp_replace(lower(regexp_replace(normalize(left(content, 100000), NFKD), '[\u0300-\u036F]', '', 'g')),
  '[!-/:-@\[-`{-~]+', ' ', 'g'));

-- The summary of a call and what was said in it.
create function call_words(summary text, transcript jsonb) returns tsvector language sql immutable parallel safe cost 2000
return search_words(coalesce(summary, '') || ' ' || coalesce((
  select string_agg(line ->> 'text', ' ')
  from jsonb_array_elements(case jsonb_typeof(transcript) when 'array' then transcript else '[]'::jsonb end) as line
), ''));
