-- How searches compare texts, as kernel/search/fold.ts does: without case, accents, special letters and kinds of apostrophes.
create function search_fold(content text) returns text language sql immutable strict parallel safe
return replace(replace(replace(replace(
  translate(
    lower(regexp_replace(normalize(translate(content, '`´‘’‛′ʹʻʼ＇', ''''''''''''''''''''''), NFKD), '[\u0300-\u036F]', '', 'g')),
    'łøđðıħŧŋĸƀɨƶǥəς', 'loddihtnkbizgeσ'
  ),
  'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th');

-- As before, with these letters. The next migration builds its indexes again.
create or replace function search_words(content text) returns tsvector language sql immutable strict parallel safe cost 1000
return to_tsvector('simple'::regconfig, regexp_replace(search_fold(left(content, 100000)), '[!-/:-@\[-`{-~]+', ' ', 'g'));

-- The digits of a telephone number without its country and the prefix before an area code, as `phoneKey` of kernel/search/numbers.ts.
create function phone_key(phone text) returns text language sql immutable strict parallel safe
return nullif(regexp_replace(regexp_replace(
  case
    when phone like '+%' then regexp_replace(
      regexp_replace(replace(phone, '(0)', ''), '\D', '', 'g'),
      '^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?!1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])\d{3})', ''
    )
    else regexp_replace(
      regexp_replace(replace(phone, '(0)', ''), '\D', '', 'g'),
      '^00(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?!0|1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])\d{3})', ''
    )
  end,
  '^0+', ''), '^(?:1(?=[2-9]\d\d[2-9]\d{6}$)|8(?=[3489]\d{9}$))', ''), '');

-- The search text of a contact, from one of before, as contacts/write/change.ts writes it now: folded, a number without a country also as its digits, and the
-- ends of names that are written without spaces.
create function contact_search_refreshed(search_text text, names text, phone text) returns text language sql immutable parallel safe
return concat_ws(' ', search_fold(search_text),
  case when phone not like '+%' and position(regexp_replace(phone, '\D', '', 'g') in search_text) = 0 then regexp_replace(phone, '\D', '', 'g') end,
  (select case when position(ends.text in search_text) = 0 then ends.text end
   from (
     select string_agg(distinct search_fold(substr(name[1], place)), ' ') as text
     from regexp_matches(names, '[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]{2,10}', 'g') name
     cross join lateral generate_series(2, length(name[1])) place
   ) ends));
