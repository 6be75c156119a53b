-- AlterTable
ALTER TABLE "contacts" ADD COLUMN     "emails" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "phones" JSONB NOT NULL DEFAULT '[]';

-- CreateTable
CREATE TABLE "contact_emails" (
    "org_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "contact_id" UUID NOT NULL,

    CONSTRAINT "contact_emails_pkey" PRIMARY KEY ("org_id","address")
);

-- CreateTable
CREATE TABLE "contact_numbers" (
    "org_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "contact_id" UUID NOT NULL,

    CONSTRAINT "contact_numbers_pkey" PRIMARY KEY ("org_id","contact_id","number")
);

-- As the duplicates are sought: by mailbox, among addresses that are written otherwise, and by the digits of a number.
create index contact_emails_by_mailbox on contact_emails (org_id, mailbox_of(address), contact_id) where mailbox_of(address) <> address;
create index contact_numbers_by_number on contact_numbers (org_id, phone_key(number), contact_id) include (number);

-- The addresses of a contact, each once, as they are compared. The first of `emails` is the primary one, which `email` has.
create function contact_addresses_of(email text, emails jsonb) returns text[] language sql immutable parallel safe
return case
  when emails = '[]' then case when email is null then '{}'::text[] else array[lower(email)] end
  else array(
    select lower(email) where email is not null
    union select lower(one ->> 'value') from jsonb_path_query(emails, '$[1 to last]') one
    order by 1
  )
end;

-- Triggers, and not statements of the program: a release from before knows only `email`.
create function contact_emails_kept() returns trigger language plpgsql as $body$
declare
  before text[] := '{}';
  after text[] := '{}';
begin
  if tg_op <> 'INSERT' then
    if old.deleted_at is null then before := contact_addresses_of(old.email, old.emails); end if;
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

create function contact_numbers_kept() returns trigger language plpgsql as $body$
begin
  if tg_op <> 'INSERT' then delete from contact_numbers where org_id = old.org_id and contact_id = old.id; end if;
  if tg_op <> 'DELETE' then
    insert into contact_numbers (org_id, number, contact_id)
    select distinct new.org_id, one ->> 'value', new.id from jsonb_path_query(new.phones, '$[1 to last]') one;
  end if;
  return null;
end $body$;

create function contact_addresses_truncated() returns trigger language plpgsql as $body$
begin
  truncate contact_emails, contact_numbers;
  return null;
end $body$;

create trigger contact_emails_kept_on_insert after insert on contacts for each row
  when (new.deleted_at is null and (new.email is not null or new.emails <> '[]')) execute function contact_emails_kept();
create trigger contact_emails_kept_on_update after update on contacts for each row
  when (old.email is distinct from new.email or old.emails is distinct from new.emails or old.deleted_at is distinct from new.deleted_at)
  execute function contact_emails_kept();
create trigger contact_emails_kept_on_delete after delete on contacts for each row
  when (old.deleted_at is null) execute function contact_emails_kept();

create trigger contact_numbers_kept_on_insert after insert on contacts for each row
  when (new.phones <> '[]') execute function contact_numbers_kept();
create trigger contact_numbers_kept_on_update after update on contacts for each row
  when (old.phones is distinct from new.phones) execute function contact_numbers_kept();
create trigger contact_numbers_kept_on_delete after delete on contacts for each row
  when (old.phones <> '[]') execute function contact_numbers_kept();

create trigger contact_addresses_truncated after truncate on contacts for each statement execute function contact_addresses_truncated();
