create table contact_duplicate_dismissals (
  org_id uuid not null,
  first_id uuid not null,
  second_id uuid not null,
  created_by_type text not null,
  created_by_id text,
  created_by_name text,
  created_at timestamptz(3) not null default current_timestamp,
  constraint contact_duplicate_dismissals_pkey primary key (org_id, first_id, second_id),
  -- A pair is stored once.
  constraint contact_duplicate_dismissals_order check (first_id < second_id)
);

-- The mailbox of an address: in lower case, without what follows a plus, and at Gmail without dots.
create function mailbox_of(email text) returns text language sql immutable strict parallel safe
return case
  when split_part(lower(email), '@', 2) in ('gmail.com', 'googlemail.com')
  then replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@gmail.com'
  else split_part(split_part(lower(email), '@', 1), '+', 1) || '@' || split_part(lower(email), '@', 2)
end;

-- A number for name and company in lower case; null without one of them.
create function name_and_company(full_name text, company_name text) returns bigint language sql immutable strict parallel safe
return hashtextextended(lower(full_name) || E'\n' || lower(company_name), 0);
