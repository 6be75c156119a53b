-- How searches compare texts, as kernel/search/fold.ts does: now without the marks of all scripts in place of those of Latin ones alone, with
-- one form of Arabic and Japanese letters that have several, and with hiragana for katakana. ASCII, as most texts are, is not read by letter.
create or replace function search_fold(content text) returns text language sql immutable strict parallel safe
return case when octet_length(content) = length(content) then lower(replace(content, '`', ''''))
else replace(replace(replace(replace(
  translate(
    lower(regexp_replace(
      normalize(translate(content, '`´‘’‛′ʹʻʼʾʿ＇׳‐‑‒–—―−⁃־·״' || U&'\00AD\200B\200C\200D\200E\200F\202A\202B\202C\202D\202E\2060\2061\2062\2063\2064\FEFF', repeat('''', 13) || repeat('-', 10) || '"'), NFKD),
      '[\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3\u07FD\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0897-\u089F\u08CA-\u08E1\u08E3-\u0903\u093A-\u093C\u093E-\u094F\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09BC\u09BE-\u09C4\u09C7-\u09C8\u09CB-\u09CD\u09D7\u09E2-\u09E3\u09FE\u0A01-\u0A03\u0A3C\u0A3E-\u0A42\u0A47-\u0A48\u0A4B-\u0A4D\u0A51\u0A70-\u0A71\u0A75\u0A81-\u0A83\u0ABC\u0ABE-\u0AC5\u0AC7-\u0AC9\u0ACB-\u0ACD\u0AE2-\u0AE3\u0AFA-\u0AFF\u0B01-\u0B03\u0B3C\u0B3E-\u0B44\u0B47-\u0B48\u0B4B-\u0B4D\u0B55-\u0B57\u0B62-\u0B63\u0B82\u0BBE-\u0BC2\u0BC6-\u0BC8\u0BCA-\u0BCD\u0BD7\u0C00-\u0C04\u0C3C\u0C3E-\u0C44\u0C46-\u0C48\u0C4A-\u0C4D\u0C55-\u0C56\u0C62-\u0C63\u0C81-\u0C83\u0CBC\u0CBE-\u0CC4\u0CC6-\u0CC8\u0CCA-\u0CCD\u0CD5-\u0CD6\u0CE2-\u0CE3\u0CF3\u0D00-\u0D03\u0D3B-\u0D3C\u0D3E-\u0D44\u0D46-\u0D48\u0D4A-\u0D4D\u0D57\u0D62-\u0D63\u0D81-\u0D83\u0DCA\u0DCF-\u0DD4\u0DD6\u0DD8-\u0DDF\u0DF2-\u0DF3\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECE\u0F18-\u0F19\u0F35\u0F37\u0F39\u0F3E-\u0F3F\u0F71-\u0F84\u0F86-\u0F87\u0F8D-\u0F97\u0F99-\u0FBC\u0FC6\u102B-\u103E\u1056-\u1059\u105E-\u1060\u1062-\u1064\u1067-\u106D\u1071-\u1074\u1082-\u108D\u108F\u109A-\u109D\u135D-\u135F\u1712-\u1715\u1732-\u1734\u1752-\u1753\u1772-\u1773\u17B4-\u17D3\u17DD\u180B-\u180D\u180F\u1885-\u1886\u18A9\u1920-\u192B\u1930-\u193B\u1A17-\u1A1B\u1A55-\u1A5E\u1A60-\u1A7C\u1A7F\u1AB0-\u1ADD\u1AE0-\u1AEB\u1B00-\u1B04\u1B34-\u1B44\u1B6B-\u1B73\u1B80-\u1B82\u1BA1-\u1BAD\u1BE6-\u1BF3\u1C24-\u1C37\u1CD0-\u1CD2\u1CD4-\u1CE8\u1CED\u1CF4\u1CF7-\u1CF9\u1DC0-\u1DFF\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF\u302A-\u302F\u3099-\u309A\uA66F-\uA672\uA674-\uA67D\uA69E-\uA69F\uA6F0-\uA6F1\uA802\uA806\uA80B\uA823-\uA827\uA82C\uA880-\uA881\uA8B4-\uA8C5\uA8E0-\uA8F1\uA8FF\uA926-\uA92D\uA947-\uA953\uA980-\uA983\uA9B3-\uA9C0\uA9E5\uAA29-\uAA36\uAA43\uAA4C-\uAA4D\uAA7B-\uAA7D\uAAB0\uAAB2-\uAAB4\uAAB7-\uAAB8\uAABE-\uAABF\uAAC1\uAAEB-\uAAEF\uAAF5-\uAAF6\uABE3-\uABEA\uABEC-\uABED\uFB1E\uFE00-\uFE0F\uFE20-\uFE2F]', '', 'g'
    )),
    'łøđðıħŧŋĸƀɨƶǥəςɓƃȼƈɖɗɇɛƒɠɣɉȷƙƚɫɬɲƞɔɵƥɍȿƭʈʉʋⱳƴɏȥⱥⱦґىةکیٱہەھ髙﨑𠮷・ァアィイゥウェエォオカキクケコサシスセソタチッツテトナニヌネノハヒフヘホマミムメモャヤュユョヨラリルレロヮワヰヱヲンヵヶヽـ',
    'loddihtnkbizgeσbbccddeefggjjklllnnooprsttuvwyyzatгيهكياههه高崎吉 ぁあぃいぅうぇえぉおかきくけこさしすせそたちっつてとなにぬねのはひふへほまみむめもゃやゅゆょよらりるれろゎわゐゑをんゕゖゝ'
  ),
  'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th') end;

-- As before, and with initials without points together, and with umlauts as two letters, as `withoutUmlauts` of kernel/search/fold.ts makes them.
create or replace function contact_search_respelt(search_text text, names text) returns text language sql immutable parallel safe
return concat_ws(' ', search_fold(search_text),
  (select string_agg(distinct bare.text, ' ' order by bare.text)
   from (
     select regexp_replace(word[1], '[''.& -]', '', 'g') as text
     from regexp_matches(search_fold(names), '[[:alnum:]]+(?:[''.&-]{1,2}[[:alnum:]]+)+|\m[[:alpha:]](?:(?:\. ?| )[[:alpha:]]\M)+', 'g') word
     union all
     select regexp_replace(word[1], '[''.&-]', '', 'g')
     from (
       select normalize(names, NFC) as text where normalize(names, NFC) ~ '[äÄöÖøØüÜåÅ]'
     ) given,
     regexp_matches(
       search_fold(regexp_replace(regexp_replace(regexp_replace(regexp_replace(given.text, '[äÄ]', 'ae', 'g'), '[öÖøØ]', 'oe', 'g'), '[üÜ]', 'ue', 'g'), '[åÅ]', 'aa', 'g')),
       '[[:alnum:]]+(?:[''.&-]{1,2}[[:alnum:]]+)*', 'g'
     ) word
   ) bare
   where position(bare.text in search_fold(search_text)) = 0));
