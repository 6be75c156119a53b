-- How searches compare texts, as kernel/search/fold.ts does: now also without kinds of hyphens, hooks of letters, and characters that are not seen.
create or replace function search_fold(content text) returns text language sql immutable strict parallel safe
return replace(replace(replace(replace(
  translate(
    lower(regexp_replace(normalize(translate(content, '`´‘’‛′ʹʻʼʾʿ＇‐‑‒–—―−⁃' || U&'\00AD\200B\200C\200D\200E\200F\202A\202B\202C\202D\202E\2060\2061\2062\2063\2064\FEFF', '''''''''''''''''''''''''--------'), NFKD), '[\u0300-\u036F]', '', 'g')),
    'łøđðıħŧŋĸƀɨƶǥəςɓƃȼƈɖɗɇɛƒɠɣɉȷƙƚɫɬɲƞɔɵƥɍȿƭʈʉʋⱳƴɏȥⱥⱦ', 'loddihtnkbizgeσbbccddeefggjjklllnnooprsttuvwyyzat'
  ),
  'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th');

-- As before, and with names without their signs, as `withoutSigns` of kernel/search/fold.ts makes them: obrien for O'Brien, jrr for J. R. R.
create function contact_search_respelt(search_text text, names text) returns text language sql immutable parallel safe
return concat_ws(' ', search_fold(search_text),
  (select string_agg(distinct bare.text, ' ' order by bare.text)
   from (
     select regexp_replace(word[1], '[''.& -]', '', 'g') as text
     from regexp_matches(search_fold(names), '[[:alnum:]]+(?:[''.&-]{1,2}[[:alnum:]]+)+|\m[[:alpha:]](?:\. ?[[:alpha:]]\M)+', 'g') word
   ) bare
   where position(bare.text in search_fold(search_text)) = 0));
