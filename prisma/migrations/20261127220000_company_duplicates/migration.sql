-- CreateTable
CREATE TABLE "company_keys" (
    "org_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "company_id" UUID NOT NULL,

    CONSTRAINT "company_keys_pkey" PRIMARY KEY ("org_id","kind","key","company_id")
);

-- The registered part of a domain: acme.co.uk of shop.acme.co.uk. Below a host that gives names to everybody, the part with the name.
create function site_of_domain(domain text) returns text language sql immutable strict parallel safe
return coalesce(
  substring(lower(domain) from
    '([^.]+\.(?:(?:ac|co|com|edu|gob|gov|govt|go|gv|id|in|info|ltd|me|mil|ne|net|nhs|nom|or|org|plc|sch|web)\.[a-z]{2}|'
    '(?:azurewebsites|atlassian|cloudfront|myfreesites)\.net|(?:blogspot|firebaseapp|godaddysites|herokuapp|jimdo|jimdofree|jimdosite|'
    'myshopify|onrender|sharepoint|squarespace|substack|tumblr|webnode|weebly|wixsite|wordpress|yolasite|zendesk)\.com|'
    '(?:github|gitlab|webflow)\.io|(?:netlify|vercel|web)\.app|(?:fly|pages|workers)\.dev|business\.site|notion\.site|carrd\.co|[^.]+))$'),
  lower(domain));

-- The host of a web address, in lower case and without www.
create function host_of_website(website text) returns text language sql immutable strict parallel safe
return substring(lower(website) from '^https?://(?:[^/?#@]*@)?(?:www[0-9]?\.)?([^/?#@:]+)');

-- The registered part of the host; null for a host on which everybody has pages, and for one that is no domain.
create function site_of_website(website text) returns text language sql immutable strict parallel safe
return case
  when host_of_website(website) !~ '\.[a-z]' or host_of_website(website) ~
    ('(?:^|\.)(?:amazon|apple|crunchbase|ebay|etsy|facebook|google|instagram|linkedin|linktr|medium|pinterest|tiktok|tripadvisor|twitter|vimeo|vk|wikipedia|x|'
    'xing|yelp|youtube)\.(?:[a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$') then null
  else site_of_domain(host_of_website(website))
end;

-- The words of a name, without case, accents, punctuation and connecting words.
create function company_name_words(name text) returns text language sql immutable strict parallel safe
return trim(regexp_replace(regexp_replace(regexp_replace(
  ' ' || translate(search_fold(regexp_replace(left(name, 200), '[®™©℠]|株式会社|有限会社|合同会社|股份有限公司|有限责任公司|有限公司|주식회사', ' ', 'g')), '''.', '') || ' ',
  '\m([a-z])/([a-z])\M', '\1\2', 'g'),
  '[!-/:-@\[-`{-~«»„“”‚·•…]+| (?:and|und|et) ', ' ', 'g'),
  '\s+', ' ', 'g'));

-- The words without the legal forms at the end and the beginning: acme engines of Acme Engines GmbH & Co. KG, and of ACME Engines, Inc.
create function company_name_key(name text) returns text language sql immutable strict parallel safe
return left(coalesce(nullif(regexp_replace(regexp_replace(
  company_name_words(name),
  '(?: (?:gmbh|mbh|ag|kg|kgaa|ohg|gbr|ug|haftungsbeschrankt|ek|ev|eg|se|co|company|inc|incorporated|corp|corporation|ltd|limited|llc|lllp|llp|lp|plc|pllc|pc|'
  'pty|pte|pvt|private|sdn bhd|bhd|sa de cv|sab de cv|s de rl de cv|sa|sas|sasu|sarl|eurl|sci|snc|srl|srls|spa|sapa|sl|slu|sll|scrl|sprl|bvba|bv|nv|vof|cv|'
  'cvba|as|aps|asa|ab|oy|oyj|hf|ehf|kft|rt|zrt|nyrt|bt|doo|dd|ad|ead|eood|ood|spol s ro|sro|vos|ks|sp z oo|spzoo|ltda|eireli|kk|gk|tbk|sti|ооо|оао|зао|пао|ао))+$', ''),
  '^(?:the|firma|pt|cv|ооо|оао|зао|пао|ао|тов) (.)', '\1'), ''), lower(name)), 100);

-- What a company has in common with its duplicates: its sites, its number and its name.
create function company_keys_of(domain text, domains text[], website text, phone text, name text) returns table (kind text, key text)
language sql immutable parallel safe
begin atomic
  select 'site', site_of_domain(one) from unnest(domains || domain) one where one is not null
  union select 'site', site_of_website(website) where site_of_website(website) is not null
  union select 'phone', phone_key(phone) where phone_key(phone) is not null
  union select 'name', company_name_key(name);
end;

-- Triggers, and not statements of the program: a release from before knows no keys. Only live companies have keys.
create function company_keys_kept() returns trigger language plpgsql as $body$
begin
  if tg_op <> 'INSERT' then
    if old.deleted_at is null then
      delete from company_keys using company_keys_of(old.domain, old.domains, old.website, old.phone, old.name) former
      where org_id = old.org_id and company_keys.kind = former.kind and company_keys.key = former.key and company_id = old.id;
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.deleted_at is null then
      insert into company_keys (org_id, kind, key, company_id)
      select new.org_id, kind, key, new.id from company_keys_of(new.domain, new.domains, new.website, new.phone, new.name)
      on conflict do nothing;
    end if;
  end if;
  return null;
end $body$;

create function company_keys_truncated() returns trigger language plpgsql as $body$
begin
  truncate company_keys;
  return null;
end $body$;

create trigger company_keys_kept_on_insert after insert on companies for each row
  when (new.deleted_at is null) execute function company_keys_kept();
create trigger company_keys_kept_on_update after update on companies for each row
  when ((old.domain, old.domains, old.website, old.phone, old.name, old.deleted_at)
    is distinct from (new.domain, new.domains, new.website, new.phone, new.name, new.deleted_at))
  execute function company_keys_kept();
create trigger company_keys_kept_on_delete after delete on companies for each row
  when (old.deleted_at is null) execute function company_keys_kept();
create trigger company_keys_truncated after truncate on companies for each statement execute function company_keys_truncated();
