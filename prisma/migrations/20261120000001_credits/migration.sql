-- Credits: accounts, grants, holds and the ledger. The first half is written by `npm run migrate -- new` from schema.prisma; the
-- second, by hand, holds what Prisma cannot express.

CREATE TABLE "credit_accounts" (
    "user_id" TEXT NOT NULL,
    "balance_micro" BIGINT NOT NULL DEFAULT 0,
    "reserved_micro" BIGINT NOT NULL DEFAULT 0,
    "entry_count" BIGINT NOT NULL DEFAULT 0,
    "low_since_entry" BIGINT,
    "due_at" TIMESTAMPTZ(3),
    "org_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credit_accounts_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "credit_grants" (
    "id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "amount_micro" BIGINT NOT NULL,
    "remaining_micro" BIGINT NOT NULL,
    "category" TEXT NOT NULL,
    "priority" SMALLINT NOT NULL,
    "status" TEXT NOT NULL,
    "reference" TEXT,
    "effective_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credit_grants_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "credit_holds" (
    "id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "amount_micro" BIGINT NOT NULL,
    "settled_micro" BIGINT NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL DEFAULT 'open',
    "breakdown" JSONB NOT NULL,
    "reference" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "credit_holds_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "credit_entries" (
    "user_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "amount_micro" BIGINT NOT NULL,
    "reserved_micro" BIGINT NOT NULL,
    "balance_after_micro" BIGINT NOT NULL,
    "reserved_after_micro" BIGINT NOT NULL,
    "breakdown" JSONB NOT NULL,
    "hold_id" UUID,
    "reference" TEXT,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "door" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credit_entries_pkey" PRIMARY KEY ("user_id","seq")
);
CREATE INDEX "credit_grants_by_status" ON "credit_grants"("user_id", "status");
ALTER TABLE "credit_accounts" ADD CONSTRAINT "credit_accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "credit_grants" ADD CONSTRAINT "credit_grants_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "credit_accounts"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "credit_holds" ADD CONSTRAINT "credit_holds_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "credit_accounts"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ============================================================ by hand

-- ---- what may never be, whatever runs at once

alter table credit_accounts
  -- 10^15: below 1,000,000,000 credits an amount with 6 decimals is one JSON number exactly.
  add constraint credit_accounts_balance check (balance_micro >= 0 and balance_micro < 1000000000000000),
  add constraint credit_accounts_reserved check (reserved_micro between 0 and balance_micro);

alter table credit_grants
  add constraint credit_grants_amount check (amount_micro > 0 and amount_micro < 1000000000000000),
  add constraint credit_grants_remaining check (remaining_micro between 0 and amount_micro),
  add constraint credit_grants_category check (category in ('paid', 'promotional')),
  add constraint credit_grants_priority check (priority between 0 and 100),
  add constraint credit_grants_status check (status in ('pending', 'active', 'used', 'expired', 'voided')),
  add constraint credit_grants_period check (expires_at >= effective_at);

alter table credit_holds
  add constraint credit_holds_amount check (amount_micro > 0),
  add constraint credit_holds_settled check (settled_micro between 0 and amount_micro),
  add constraint credit_holds_status check (status in ('open', 'settled', 'released', 'expired')),
  add constraint credit_holds_closed check ((status = 'open') = (closed_at is null));

alter table credit_entries
  add constraint credit_entries_type check (type in ('grant', 'debit', 'hold', 'settle', 'release', 'expire', 'void', 'adjust')),
  add constraint credit_entries_after check (reserved_after_micro between 0 and balance_after_micro);

-- ---- the ledger is only ever added to

create function credit_entries_are_kept() returns trigger language plpgsql as $body$
begin
  raise exception 'credit_entries is append-only: % refused', tg_op using errcode = 'restrict_violation';
end $body$;

create trigger credit_entries_are_kept before update or delete on credit_entries
  for each row execute function credit_entries_are_kept();
create trigger credit_entries_are_kept_whole before truncate on credit_entries
  for each statement execute function credit_entries_are_kept();

-- ---- reading

-- In the order in which grants are drawn. What is left of a grant is not in it, so that drawing touches no index.
create index credit_grants_drawn on credit_grants (user_id, priority, expires_at, category desc, effective_at, created_at, id)
  where status = 'active';
create index credit_holds_open on credit_holds (user_id, expires_at) where status = 'open';
create index credit_accounts_due on credit_accounts (due_at) where due_at is not null;

-- Half-empty pages: every update finds room beside the old version and touches no index.
alter table credit_accounts set (fillfactor = 50);
alter table credit_grants set (fillfactor = 50);

-- ---- changing

-- Adds to the balance and to what is reserved of it, and counts the entry that the caller writes with it: the only place that changes
-- a balance.
--
-- Without `given`, credits are drawn from the account's grants in their order, all or nothing. `outcome` says how far it came: moved;
-- insufficient; due, when something must be seen to first; absent, when there is no account. Only `moved` changes anything. With
-- `given`, the caller holds the account's lock and has changed the grants itself.
--
-- `due`: when to look at the account again because of this. `is_crossing`: what is available fell below the threshold with this. An
-- account that has fallen low counts as recovered a tenth above the threshold, so that one that goes to and fro around it is not
-- announced each time.
create function credits_move(
  account_of text, amount bigint, reserved bigint, given jsonb, at_time timestamptz, due timestamptz, low_balance bigint,
  out outcome text, out seq bigint, out balance_after bigint, out reserved_after bigint, out is_crossing boolean, out org_id uuid,
  out breakdown jsonb
) language plpgsql as $body$
declare
  missing bigint := reserved - amount;
  source record;
begin
  update credit_accounts a set
    balance_micro = balance_micro + amount,
    reserved_micro = reserved_micro + reserved,
    entry_count = entry_count + 1,
    updated_at = at_time,
    due_at = least(due_at, due),
    low_since_entry = case
      when balance_micro + amount - reserved_micro - reserved < low_balance then coalesce(low_since_entry, entry_count + 1)
      when balance_micro + amount - reserved_micro - reserved >= low_balance * 1.1 then null
      else low_since_entry end
  where user_id = account_of
    and (given is not null or (balance_micro - reserved_micro >= missing and (due_at is null or due_at > at_time)))
  returning 'moved', entry_count, balance_micro, reserved_micro, a.org_id,
    coalesce(low_since_entry = entry_count, false) and balance_micro - amount - reserved_micro + reserved >= low_balance
  into outcome, seq, balance_after, reserved_after, org_id, is_crossing;

  if outcome is null then
    select case
        when due_at <= at_time then 'due'
        when balance_micro - reserved_micro < missing then 'insufficient'
        -- Somebody has just made it possible.
        else 'due' end, balance_micro, reserved_micro
      into outcome, balance_after, reserved_after from credit_accounts where user_id = account_of;
    outcome := coalesce(outcome, 'absent');
    return;
  end if;

  breakdown := coalesce(given, '[]');
  if given is not null then return; end if;
  while missing > 0 loop
    update credit_grants g set
      remaining_micro = remaining_micro - next.part,
      status = case when remaining_micro = next.part then 'used' else status end
    from (
      select id, least(remaining_micro, missing) as part from credit_grants where user_id = account_of and status = 'active'
      order by priority, expires_at, credit_grants.category desc, effective_at, created_at, id limit 1) next
    where g.id = next.id
    returning g.id, g.category, next.part into source;
    if not found then
      raise exception 'the grants of % hold less than is available', account_of using errcode = 'data_exception';
    end if;
    breakdown := breakdown || jsonb_build_object('grantId', source.id, 'category', source.category, 'micro', source.part);
    missing := missing - source.part;
  end loop;
end $body$;
