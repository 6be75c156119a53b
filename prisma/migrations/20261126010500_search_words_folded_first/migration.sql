-- Cut after the fold too: a letter is one character then, however it was written, and a ligature as many as it stands for. 400,000 characters
-- are folded, because a letter may have several marks. 100,000: a tsvector holds at most 1 MB.
create or replace function search_words(content text) returns tsvector language sql immutable strict parallel safe cost 1000
return to_tsvector('simple'::regconfig, regexp_replace(left(search_fold(left(content, 400000)), 100000), '[!-/:-@\[-`{-~]+', ' ', 'g'));
