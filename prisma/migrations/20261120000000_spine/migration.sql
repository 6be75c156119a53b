-- The spine: users and credentials, contacts with their running counts, the outbox, idempotency, the embedded identity provider.
-- The first half is written by `npm run migrate -- new` from schema.prisma; the second, by hand, holds what Prisma cannot express.

-- Similarity search over names, addresses and companies. A trusted extension: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "email" TEXT,
    "name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "is_demo" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "memberships" (
    "user_id" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("user_id","organization_id")
);

CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "start" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "scopes" TEXT[] NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "rotated_from_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "api_key_organizations" (
    "api_key_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,

    CONSTRAINT "api_key_organizations_pkey" PRIMARY KEY ("api_key_id","organization_id")
);

CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "user_id" TEXT NOT NULL,
    "user_agent" TEXT,
    "ip_address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "contacts" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "email" TEXT,
    "first_name" TEXT,
    "last_name" TEXT,
    "full_name" TEXT,
    "phone" TEXT,
    "job_title" TEXT,
    "company_name" TEXT,
    "company_domain" TEXT,
    "linkedin_url" TEXT,
    "city" TEXT,
    "region" TEXT,
    "country" TEXT,
    "timezone" TEXT,
    "avatar_url" TEXT,
    "lifecycle_stage" TEXT NOT NULL DEFAULT 'subscriber',
    "source" TEXT NOT NULL,
    "owner_user_id" TEXT,
    "tags" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "custom" JSONB NOT NULL DEFAULT '{}',
    "do_not_call" BOOLEAN NOT NULL DEFAULT false,
    "external_id" TEXT,
    "last_contacted_at" TIMESTAMPTZ(3),
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "search_text" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "custom_fields" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "options" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "custom_fields_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "contact_counts_settled" (
    "org_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "total" BIGINT NOT NULL DEFAULT 0,
    "with_email" BIGINT NOT NULL DEFAULT 0,
    "with_phone" BIGINT NOT NULL DEFAULT 0,
    "do_not_call" BIGINT NOT NULL DEFAULT 0,
    "stage_subscriber" BIGINT NOT NULL DEFAULT 0,
    "stage_lead" BIGINT NOT NULL DEFAULT 0,
    "stage_qualified" BIGINT NOT NULL DEFAULT 0,
    "stage_opportunity" BIGINT NOT NULL DEFAULT 0,
    "stage_customer" BIGINT NOT NULL DEFAULT 0,
    "stage_evangelist" BIGINT NOT NULL DEFAULT 0,
    "stage_other" BIGINT NOT NULL DEFAULT 0,
    "source_api" BIGINT NOT NULL DEFAULT 0,
    "source_web" BIGINT NOT NULL DEFAULT 0,
    "source_desktop" BIGINT NOT NULL DEFAULT 0,
    "source_import" BIGINT NOT NULL DEFAULT 0,
    "source_voice" BIGINT NOT NULL DEFAULT 0,
    "source_enrichment" BIGINT NOT NULL DEFAULT 0,
    "source_hook" BIGINT NOT NULL DEFAULT 0,
    "source_agent" BIGINT NOT NULL DEFAULT 0,
    "source_system" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "contact_counts_settled_pkey" PRIMARY KEY ("org_id","day")
);

CREATE TABLE "contact_counts_pending" (
    "org_id" UUID NOT NULL,
    "created_day" DATE NOT NULL,
    "has_email" BOOLEAN NOT NULL,
    "has_phone" BOOLEAN NOT NULL,
    "do_not_call" BOOLEAN NOT NULL,
    "lifecycle_stage" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "change" INTEGER NOT NULL
);

CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "entity" TEXT NOT NULL,
    "entity_id" TEXT NOT NULL,
    "contact_id" UUID,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "door" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "changes" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "transaction_id" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "idempotency_keys" (
    "id" BYTEA NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "answer" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "idp_users" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idp_users_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "idp_sessions" (
    "id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "token" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "user_id" TEXT NOT NULL,

    CONSTRAINT "idp_sessions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "idp_accounts" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idp_accounts_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "idp_verifications" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idp_verifications_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "idp_jwks" (
    "id" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "alg" TEXT,
    "crv" TEXT,

    CONSTRAINT "idp_jwks_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "memberships_organization_id_idx" ON "memberships"("organization_id");
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");
CREATE INDEX "api_keys_created_by_id_idx" ON "api_keys"("created_by_id");
CREATE INDEX "api_key_organizations_organization_id_idx" ON "api_key_organizations"("organization_id");
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions"("token_hash");
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");
CREATE INDEX "contacts_search" ON "contacts" USING GIN ("search_text" gin_trgm_ops);
CREATE UNIQUE INDEX "custom_fields_org_id_key_key" ON "custom_fields"("org_id", "key");
CREATE INDEX "events_timeline" ON "events"("contact_id", "created_at" DESC, "id" DESC);
CREATE INDEX "events_outbox" ON "events"("transaction_id", "id");
CREATE INDEX "events_age" ON "events" USING BRIN ("created_at");
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys" USING BRIN ("created_at");
CREATE UNIQUE INDEX "idp_users_email_key" ON "idp_users"("email");
CREATE UNIQUE INDEX "idp_sessions_token_key" ON "idp_sessions"("token");
CREATE INDEX "idp_sessions_user_id_idx" ON "idp_sessions"("user_id");
CREATE INDEX "idp_accounts_user_id_idx" ON "idp_accounts"("user_id");
CREATE INDEX "idp_verifications_identifier_idx" ON "idp_verifications"("identifier");

ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "api_key_organizations" ADD CONSTRAINT "api_key_organizations_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "api_key_organizations" ADD CONSTRAINT "api_key_organizations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "idp_sessions" ADD CONSTRAINT "idp_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "idp_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "idp_accounts" ADD CONSTRAINT "idp_accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "idp_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- ============================================================ by hand

-- ---- organizations

-- Guests read one organization.
create unique index organizations_demo on organizations (is_demo) where is_demo;

-- ---- contacts: values, uniqueness, sorting

alter table contacts
  add constraint contacts_lifecycle_stage check (lifecycle_stage in ('subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'evangelist', 'other')),
  add constraint contacts_source check (source in ('api', 'web', 'desktop', 'import', 'voice', 'enrichment', 'hook', 'agent', 'system'));

-- An address belongs to one live contact of its organization; a deleted contact gives it free. A contact without an address is
-- keyed by its id, behind all addresses: so this index is the order of lists by address as well.
create unique index contacts_email on contacts (org_id, (coalesce(lower(email), U&'\+10FFFF' || id::text) collate "C")) where deleted_at is null;
-- Not unique: external ids are other systems' words, and two of them may use the same.
create index contacts_external_id on contacts (org_id, external_id) where external_id is not null;
create index contacts_phone on contacts (org_id, phone) where phone is not null;

-- The orders of lists: the sort's own value, then the id, so that a page can begin anywhere at the cost of the first. Live and
-- deleted contacts apart, so that a page of live ones does not wade through deleted ones. A contact without a last name comes last.
create index contacts_by_created on contacts (org_id, created_at, id) where deleted_at is null;
create index contacts_by_updated on contacts (org_id, updated_at, id) where deleted_at is null;
create index contacts_by_last_name on contacts (org_id, (coalesce(lower(last_name), U&'\+10FFFF') collate "C"), id) where deleted_at is null;
create index contacts_deleted_by_created on contacts (org_id, created_at, id) where deleted_at is not null;
create index contacts_deleted_by_updated on contacts (org_id, updated_at, id) where deleted_at is not null;
-- Filters. Contacts without an owner or tags cost these nothing.
create index contacts_by_owner on contacts (org_id, owner_user_id, created_at, id) where owner_user_id is not null and deleted_at is null;
create index contacts_tags on contacts using gin (tags) where tags <> '{}';
-- What is written is searched at once, in a list beside the index, which a writer works into it when it is full: an insert in 2,000
-- then takes 50 ms. With the usual 4 MB it is one in 8,000 and 200 ms, without the list every insert takes twice as long.
alter index contacts_search set (gin_pending_list_limit = 1024);

-- ---- contact_counts: kept by the statements that change contacts, in their own transaction
--
-- Only live contacts count. The row of day -infinity has every total; the row of a creation day (UTC) has `total` alone, for
-- "new in a window". A change of contacts only appends what it changes to contact_counts_pending: that is the cheapest thing a
-- transaction can do, and nobody waits for it. About one statement in a hundred settles what has gathered, so the view adds up a
-- handful of rows, and is exact in every snapshot.

-- A row lives for moments; unseen by vacuum, thousands of dead ones would be read past.
alter table contact_counts_pending set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);
-- Half-empty pages: every update finds room beside the old version and touches no index.
alter table contact_counts_settled set (fillfactor = 50);

create view contact_counts_unsettled as
  select org_id, date '-infinity' as day, change as total,
    change * has_email::int as with_email,
    change * has_phone::int as with_phone,
    change * do_not_call::int as do_not_call,
    change * (lifecycle_stage = 'subscriber')::int as stage_subscriber,
    change * (lifecycle_stage = 'lead')::int as stage_lead,
    change * (lifecycle_stage = 'qualified')::int as stage_qualified,
    change * (lifecycle_stage = 'opportunity')::int as stage_opportunity,
    change * (lifecycle_stage = 'customer')::int as stage_customer,
    change * (lifecycle_stage = 'evangelist')::int as stage_evangelist,
    change * (lifecycle_stage = 'other')::int as stage_other,
    change * (source = 'api')::int as source_api,
    change * (source = 'web')::int as source_web,
    change * (source = 'desktop')::int as source_desktop,
    change * (source = 'import')::int as source_import,
    change * (source = 'voice')::int as source_voice,
    change * (source = 'enrichment')::int as source_enrichment,
    change * (source = 'hook')::int as source_hook,
    change * (source = 'agent')::int as source_agent,
    change * (source = 'system')::int as source_system
  from contact_counts_pending
  union all
  select org_id, created_day, change, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  from contact_counts_pending;

create view contact_counts as
  select * from contact_counts_settled
  union all
  select * from contact_counts_unsettled;

create function contact_counts_settle() returns void language plpgsql as $body$
begin
  -- One at a time, the others leave it to that one; and never on an old snapshot, in which rows settled since would fail it.
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock('contact_counts_pending'::regclass::oid::int, 0) then
    return;
  end if;
  -- One statement, one snapshot: exactly the rows that are added up are the rows that go.
  with settled as (delete from contact_counts_pending)
  insert into contact_counts_settled as counted
  select org_id, day, sum(total), sum(with_email), sum(with_phone), sum(do_not_call),
    sum(stage_subscriber), sum(stage_lead), sum(stage_qualified), sum(stage_opportunity), sum(stage_customer), sum(stage_evangelist), sum(stage_other),
    sum(source_api), sum(source_web), sum(source_desktop), sum(source_import), sum(source_voice), sum(source_enrichment), sum(source_hook),
    sum(source_agent), sum(source_system)
  from contact_counts_unsettled group by org_id, day
  on conflict (org_id, day) do update set
    total = counted.total + excluded.total,
    with_email = counted.with_email + excluded.with_email,
    with_phone = counted.with_phone + excluded.with_phone,
    do_not_call = counted.do_not_call + excluded.do_not_call,
    stage_subscriber = counted.stage_subscriber + excluded.stage_subscriber,
    stage_lead = counted.stage_lead + excluded.stage_lead,
    stage_qualified = counted.stage_qualified + excluded.stage_qualified,
    stage_opportunity = counted.stage_opportunity + excluded.stage_opportunity,
    stage_customer = counted.stage_customer + excluded.stage_customer,
    stage_evangelist = counted.stage_evangelist + excluded.stage_evangelist,
    stage_other = counted.stage_other + excluded.stage_other,
    source_api = counted.source_api + excluded.source_api,
    source_web = counted.source_web + excluded.source_web,
    source_desktop = counted.source_desktop + excluded.source_desktop,
    source_import = counted.source_import + excluded.source_import,
    source_voice = counted.source_voice + excluded.source_voice,
    source_enrichment = counted.source_enrichment + excluded.source_enrichment,
    source_hook = counted.source_hook + excluded.source_hook,
    source_agent = counted.source_agent + excluded.source_agent,
    source_system = counted.source_system + excluded.source_system;
end $body$;

create function contacts_counted_on_insert() returns trigger language plpgsql as $body$
declare
  appended bigint;
begin
  insert into contact_counts_pending
  select org_id, (created_at at time zone 'UTC')::date, email is not null, phone is not null, do_not_call, lifecycle_stage, source, 1
  from came where deleted_at is null;
  -- 100: fewer make readers' work smaller and writers' greater. A statement of many rows settles them itself.
  get diagnostics appended = row_count;
  if random() * 100 < appended then perform contact_counts_settle(); end if;
  return null;
end $body$;

create function contacts_counted_on_delete() returns trigger language plpgsql as $body$
declare
  appended bigint;
begin
  insert into contact_counts_pending
  select org_id, (created_at at time zone 'UTC')::date, email is not null, phone is not null, do_not_call, lifecycle_stage, source, -1
  from went where deleted_at is null;
  get diagnostics appended = row_count;
  if random() * 100 < appended then perform contact_counts_settle(); end if;
  return null;
end $body$;

-- Called only for rows of which something counted has changed: most updates change nothing of that, and cost nothing here.
create function contacts_counted_on_update() returns trigger language plpgsql as $body$
begin
  if old.deleted_at is null then
    insert into contact_counts_pending values (old.org_id, (old.created_at at time zone 'UTC')::date, old.email is not null,
      old.phone is not null, old.do_not_call, old.lifecycle_stage, old.source, -1);
  end if;
  if new.deleted_at is null then
    insert into contact_counts_pending values (new.org_id, (new.created_at at time zone 'UTC')::date, new.email is not null,
      new.phone is not null, new.do_not_call, new.lifecycle_stage, new.source, 1);
  end if;
  return null;
end $body$;

create function contacts_counted_after_update() returns trigger language plpgsql as $body$
begin
  if random() * 100 < 1 then perform contact_counts_settle(); end if;
  return null;
end $body$;

create function contacts_counted_on_truncate() returns trigger language plpgsql as $body$
begin
  truncate contact_counts_pending, contact_counts_settled;
  return null;
end $body$;

create trigger contacts_counted_on_insert after insert on contacts referencing new table as came
  for each statement execute function contacts_counted_on_insert();
create trigger contacts_counted_on_delete after delete on contacts referencing old table as went
  for each statement execute function contacts_counted_on_delete();
create trigger contacts_counted_on_update after update on contacts for each row
  when ((old.org_id, old.created_at, old.email is null, old.phone is null, old.do_not_call, old.lifecycle_stage, old.source, old.deleted_at is null)
    is distinct from (new.org_id, new.created_at, new.email is null, new.phone is null, new.do_not_call, new.lifecycle_stage, new.source, new.deleted_at is null))
  execute function contacts_counted_on_update();
create trigger contacts_counted_after_update after update on contacts
  for each statement execute function contacts_counted_after_update();
create trigger contacts_counted_on_truncate after truncate on contacts
  for each statement execute function contacts_counted_on_truncate();

-- ---- credentials: processes keep them in memory, and hear from the transaction itself that one has changed
--
-- Payload: the credential's hash in hexadecimal, or `user:<id>` when something of the user has changed.

create function api_keys_announced() returns trigger language plpgsql as $body$
begin
  perform pg_notify('rolocom_credentials', encode(old.hash, 'hex'));
  return null;
end $body$;

create trigger api_keys_announced_on_update after update of hash, revoked_at, expires_at, scopes, label on api_keys
  for each row
  when ((old.hash, old.revoked_at, old.expires_at, old.scopes, old.label) is distinct from (new.hash, new.revoked_at, new.expires_at, new.scopes, new.label))
  execute function api_keys_announced();
create trigger api_keys_announced_on_delete after delete on api_keys
  for each row execute function api_keys_announced();

create function api_key_organizations_announced() returns trigger language plpgsql as $body$
begin
  -- A key deleted with its rows is gone by now, and has been announced itself.
  perform pg_notify('rolocom_credentials', encode(hash, 'hex')) from api_keys where id in (old.api_key_id, new.api_key_id);
  return null;
end $body$;

create trigger api_key_organizations_announced after insert or update or delete on api_key_organizations
  for each row execute function api_key_organizations_announced();

create function sessions_announced() returns trigger language plpgsql as $body$
begin
  perform pg_notify('rolocom_credentials', encode(old.token_hash, 'hex'));
  return null;
end $body$;

-- Not on expires_at: it slides forward with use, which takes nothing from anybody.
create trigger sessions_announced_on_update after update of revoked_at on sessions
  for each row when (old.revoked_at is distinct from new.revoked_at) execute function sessions_announced();
create trigger sessions_announced_on_delete after delete on sessions
  for each row execute function sessions_announced();

create function memberships_announced() returns trigger language plpgsql as $body$
begin
  perform pg_notify('rolocom_credentials', 'user:' || user_id)
  from (values (old.user_id), (new.user_id)) as changed (user_id) where user_id is not null;
  return null;
end $body$;

create trigger memberships_announced after insert or update or delete on memberships
  for each row execute function memberships_announced();

create function users_announced() returns trigger language plpgsql as $body$
begin
  perform pg_notify('rolocom_credentials', 'user:' || old.id);
  return null;
end $body$;

create trigger users_announced after update of email, name on users
  for each row when ((old.email, old.name) is distinct from (new.email, new.name)) execute function users_announced();
