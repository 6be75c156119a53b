-- As before; a new contact with one address, as most are, takes one plain insert.
create or replace function contact_emails_kept() returns trigger language plpgsql as $body$
declare
  before text[] := '{}';
  after text[] := '{}';
begin
  if tg_op = 'INSERT' then
    if new.emails = '[]' then
      insert into contact_emails (org_id, address, contact_id) values (new.org_id, lower(new.email), new.id);
      return null;
    end if;
  elsif old.deleted_at is null then
    before := contact_addresses_of(old.email, old.emails);
  end if;
  if tg_op <> 'DELETE' then
    if new.deleted_at is null then after := contact_addresses_of(new.email, new.emails); end if;
  end if;
  if before <> '{}' then
    delete from contact_emails where org_id = old.org_id and address = any(before) and address <> all(after) and contact_id = old.id;
  end if;
  if after <> '{}' then
    insert into contact_emails (org_id, address, contact_id)
    select new.org_id, address, new.id from unnest(after) address where address <> all(before) order by address;
  end if;
  return null;
end $body$;
