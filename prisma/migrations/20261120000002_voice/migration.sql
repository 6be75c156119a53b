-- Voice: agents and their versions, calls with their running counts, what providers told us, whom not to call, the simulator's side.
-- The first half is written by `npm run migrate -- new` from schema.prisma; the second, by hand, holds what Prisma cannot express.

ALTER TABLE "idempotency_keys" ADD COLUMN     "open_until" TIMESTAMPTZ(3);

CREATE TABLE "voice_agents" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "host_app_id" TEXT,
    "instructions" TEXT,
    "first_message" TEXT,
    "extraction" JSONB NOT NULL DEFAULT '{}',
    "phone_number" TEXT,
    "provider" TEXT NOT NULL,
    "provider_assistant_id" TEXT,
    "provider_phone_id" TEXT,
    "dispatch_url" TEXT,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "status_reason" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "provisioned_version" INTEGER,
    "secret_version" INTEGER NOT NULL DEFAULT 1,
    "secret_rotated_at" TIMESTAMPTZ(3),
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "voice_agents_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "voice_agent_versions" (
    "agent_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "setup" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "voice_agent_versions_pkey" PRIMARY KEY ("agent_id","version")
);

CREATE TABLE "calls" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "agent_version" INTEGER NOT NULL,
    "contact_id" UUID,
    "provider" TEXT NOT NULL,
    "direction" TEXT NOT NULL DEFAULT 'outbound',
    "dispatch_state" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "outcome" TEXT,
    "from_number" TEXT,
    "to_number" TEXT NOT NULL,
    "provider_call_id" TEXT,
    "recording_url" TEXT,
    "transcript" JSONB NOT NULL DEFAULT '[]',
    "extracted" JSONB NOT NULL DEFAULT '{}',
    "summary" TEXT,
    "answered_by" TEXT,
    "answered_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "duration_seconds" INTEGER,
    "ended_reason" TEXT,
    "provider_reason" TEXT,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "earliest_at" TIMESTAMPTZ(3),
    "latest_at" TIMESTAMPTZ(3),
    "max_duration_seconds" INTEGER NOT NULL,
    "ring_timeout_seconds" INTEGER NOT NULL,
    "record" BOOLEAN NOT NULL,
    "voicemail_action" TEXT NOT NULL,
    "voicemail_message" TEXT,
    "hold_id" TEXT,
    "credits_reserved" BIGINT NOT NULL DEFAULT 0,
    "credits_charged" BIGINT,
    "dispatch_after" TIMESTAMPTZ(3) NOT NULL,
    "dispatch_attempts" INTEGER NOT NULL DEFAULT 0,
    "claimed_at" TIMESTAMPTZ(3),
    "dispatched_at" TIMESTAMPTZ(3),
    "lookups" INTEGER NOT NULL DEFAULT 0,
    "cancel_requested_at" TIMESTAMPTZ(3),
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "calls_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "call_counts" (
    "org_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "slot" SMALLINT NOT NULL,
    "total" BIGINT NOT NULL DEFAULT 0,
    "active" BIGINT NOT NULL DEFAULT 0,
    "placed" BIGINT NOT NULL DEFAULT 0,
    "answered" BIGINT NOT NULL DEFAULT 0,
    "answered_seconds" BIGINT NOT NULL DEFAULT 0,
    "status_queued" BIGINT NOT NULL DEFAULT 0,
    "status_ringing" BIGINT NOT NULL DEFAULT 0,
    "status_in_progress" BIGINT NOT NULL DEFAULT 0,
    "status_completed" BIGINT NOT NULL DEFAULT 0,
    "status_busy" BIGINT NOT NULL DEFAULT 0,
    "status_no_answer" BIGINT NOT NULL DEFAULT 0,
    "status_failed" BIGINT NOT NULL DEFAULT 0,
    "status_canceled" BIGINT NOT NULL DEFAULT 0,
    "outcome_goal_met" BIGINT NOT NULL DEFAULT 0,
    "outcome_goal_not_met" BIGINT NOT NULL DEFAULT 0,
    "outcome_callback_requested" BIGINT NOT NULL DEFAULT 0,
    "outcome_transferred" BIGINT NOT NULL DEFAULT 0,
    "outcome_voicemail" BIGINT NOT NULL DEFAULT 0,
    "outcome_no_answer" BIGINT NOT NULL DEFAULT 0,
    "outcome_busy" BIGINT NOT NULL DEFAULT 0,
    "outcome_declined" BIGINT NOT NULL DEFAULT 0,
    "outcome_wrong_number" BIGINT NOT NULL DEFAULT 0,
    "outcome_do_not_call" BIGINT NOT NULL DEFAULT 0,
    "outcome_failed" BIGINT NOT NULL DEFAULT 0,
    "outcome_unknown" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "call_counts_pkey" PRIMARY KEY ("org_id","day","slot")
);

CREATE TABLE "provider_events" (
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "event_key" TEXT NOT NULL,
    "call_id" UUID,
    "org_id" UUID,
    "body" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'received',
    "note" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "applied_at" TIMESTAMPTZ(3),

    CONSTRAINT "provider_events_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "denied_numbers" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "phone" TEXT NOT NULL,
    "reason" TEXT,
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "denied_numbers_pkey" PRIMARY KEY ("org_id","phone")
);

CREATE TABLE "voice_settings" (
    "org_id" UUID NOT NULL,
    "concurrency" INTEGER NOT NULL DEFAULT 10,
    "calling_from" TEXT,
    "calling_until" TEXT,
    "calling_days" INTEGER[] DEFAULT ARRAY[1, 2, 3, 4, 5, 6, 7]::INTEGER[],
    "default_timezone" TEXT NOT NULL DEFAULT 'UTC',
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "voice_settings_pkey" PRIMARY KEY ("org_id")
);

CREATE TABLE "simulated_calls" (
    "call_id" UUID NOT NULL,
    "provider_call_id" TEXT NOT NULL,
    "org_id" UUID NOT NULL,
    "dials" INTEGER NOT NULL DEFAULT 1,
    "script" TEXT NOT NULL,
    "step" INTEGER NOT NULL DEFAULT 0,
    "setup" JSONB NOT NULL,
    "ended" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "simulated_calls_pkey" PRIMARY KEY ("call_id")
);

CREATE INDEX "voice_agents_by_created" ON "voice_agents"("org_id", "created_at", "id");

CREATE INDEX "calls_by_created" ON "calls"("org_id", "created_at", "id");

CREATE INDEX "calls_by_contact" ON "calls"("contact_id", "created_at", "id");

CREATE INDEX "calls_by_agent" ON "calls"("agent_id", "created_at", "id");

CREATE INDEX "provider_events_call_id_idx" ON "provider_events"("call_id");

CREATE INDEX "provider_events_received_at_idx" ON "provider_events" USING BRIN ("received_at");

CREATE UNIQUE INDEX "provider_events_provider_event_key_key" ON "provider_events"("provider", "event_key");

CREATE UNIQUE INDEX "denied_numbers_id_key" ON "denied_numbers"("id");

CREATE INDEX "denied_numbers_by_created" ON "denied_numbers"("org_id", "created_at", "id");

CREATE UNIQUE INDEX "simulated_calls_provider_call_id_key" ON "simulated_calls"("provider_call_id");

CREATE INDEX "simulated_calls_created_at_idx" ON "simulated_calls" USING BRIN ("created_at");

ALTER TABLE "voice_agent_versions" ADD CONSTRAINT "voice_agent_versions_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "voice_agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "calls" ADD CONSTRAINT "calls_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "voice_agents"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ============================================================ by hand

-- ---- values

alter table voice_agents
  add constraint voice_agents_provider check (provider in ('simulator', 'twilio', 'vapi', 'http')),
  add constraint voice_agents_status check (status in ('draft', 'provisioning', 'active', 'paused', 'failed', 'archived')),
  add constraint voice_agents_phone_number check (phone_number ~ '^\+[1-9][0-9]{6,14}$');

alter table calls
  add constraint calls_direction check (direction in ('outbound', 'inbound')),
  add constraint calls_dispatch_state check (dispatch_state in
    ('pending', 'scheduled', 'dispatching', 'dispatched', 'unconfirmed', 'blocked', 'failed', 'canceled')),
  add constraint calls_status check (status in ('queued', 'ringing', 'in_progress', 'completed', 'busy', 'no_answer', 'failed', 'canceled')),
  add constraint calls_outcome check (outcome in ('goal_met', 'goal_not_met', 'callback_requested', 'transferred', 'voicemail', 'no_answer', 'busy', 'declined', 'wrong_number', 'do_not_call', 'failed', 'unknown')),
  -- An outcome is known when the call is over, and then always.
  add constraint calls_outcome_when_over check ((outcome is not null) = (status not in ('queued', 'ringing', 'in_progress'))),
  add constraint calls_answered_by check (answered_by in ('human', 'machine', 'ivr', 'fax', 'unknown')),
  add constraint calls_voicemail_action check (voicemail_action in ('hang_up', 'leave_message', 'continue')),
  add constraint calls_to_number check (to_number ~ '^\+[1-9][0-9]{6,14}$');

alter table provider_events add constraint provider_events_state check (state in ('received', 'applied', 'ignored', 'failed'));

-- ---- uniqueness and queues

-- A number speaks for one agent of its provider; an archived agent gives it free.
create unique index voice_agents_phone_number on voice_agents (provider, phone_number) where status <> 'archived';

-- A provider's call is one of ours at most. Organizations answer their own calls through `http`, and may well use the same ids.
create unique index calls_provider_call_id on calls (provider, provider_call_id, org_id) where provider_call_id is not null;
-- Who waits, in order; and who holds a slot: whatever of a call is or may be at the provider, until it is over.
create index calls_waiting on calls (org_id, dispatch_after, id) where dispatch_state in ('pending', 'scheduled');
create index calls_open on calls (org_id, dispatch_state)
  where dispatch_state in ('dispatching', 'dispatched', 'unconfirmed') and status in ('queued', 'ringing', 'in_progress');
-- What waits to be applied or looked at again.
create index provider_events_unapplied on provider_events (received_at) where state in ('received', 'failed');

-- ---- call_counts: kept by the statements that change calls, in their own transaction, like contact_counts
--
-- The row of a creation day (UTC) has everything; the row of day -infinity has `total` and `active` alone.

alter table call_counts set (fillfactor = 50);
-- A call is changed several times in its short life; the new versions find room beside the old.
alter table calls set (fillfactor = 80);

do $migration$
declare
  facts constant text := $sql$
    org_id, (created_at at time zone 'UTC')::date as created_day, status, outcome, status in ('queued', 'ringing', 'in_progress') as is_active,
    dispatch_state = 'dispatched' as is_placed, answered_at is not null as is_answered, coalesce(duration_seconds, 0) as seconds $sql$;
  came constant text := 'select ' || facts || ' from came';
  went constant text := 'select ' || facts || ' from went';
  changes constant jsonb := jsonb_build_object(
    'insert', 'select 1 as sign, * from (' || came || ') gained',
    'delete', 'select -1 as sign, * from (' || went || ') lost',
    'update', 'select 1 as sign, * from ((' || came || ') except all (' || went || ')) gained union all '
           || 'select -1 as sign, * from ((' || went || ') except all (' || came || ')) lost');
  tables constant jsonb := jsonb_build_object(
    'insert', 'new table as came', 'delete', 'old table as went', 'update', 'old table as went new table as came');
  operation text;
begin
  foreach operation in array array['insert', 'update', 'delete'] loop
    execute format($sql$
      create function calls_counted_on_%1$s() returns trigger language plpgsql as $body$
      begin
        insert into call_counts as counted (org_id, day, slot,
          total, active, placed, answered, answered_seconds, status_queued, status_ringing, status_in_progress, status_completed, status_busy,
          status_no_answer, status_failed, status_canceled, outcome_goal_met, outcome_goal_not_met, outcome_callback_requested, outcome_transferred,
          outcome_voicemail, outcome_no_answer, outcome_busy, outcome_declined, outcome_wrong_number, outcome_do_not_call, outcome_failed,
          outcome_unknown)
        with change as (%2$s)
        select org_id, created_day as day, pg_backend_pid() & 15,
          sum(sign), sum(sign * is_active::int), sum(sign * is_placed::int), sum(sign * is_answered::int), sum(sign * seconds),
          sum(sign * (status = 'queued')::int), sum(sign * (status = 'ringing')::int), sum(sign * (status = 'in_progress')::int),
          sum(sign * (status = 'completed')::int), sum(sign * (status = 'busy')::int), sum(sign * (status = 'no_answer')::int),
          sum(sign * (status = 'failed')::int), sum(sign * (status = 'canceled')::int), sum(sign * coalesce((outcome = 'goal_met')::int, 0)),
          sum(sign * coalesce((outcome = 'goal_not_met')::int, 0)), sum(sign * coalesce((outcome = 'callback_requested')::int, 0)),
          sum(sign * coalesce((outcome = 'transferred')::int, 0)), sum(sign * coalesce((outcome = 'voicemail')::int, 0)),
          sum(sign * coalesce((outcome = 'no_answer')::int, 0)), sum(sign * coalesce((outcome = 'busy')::int, 0)),
          sum(sign * coalesce((outcome = 'declined')::int, 0)), sum(sign * coalesce((outcome = 'wrong_number')::int, 0)),
          sum(sign * coalesce((outcome = 'do_not_call')::int, 0)), sum(sign * coalesce((outcome = 'failed')::int, 0)),
          sum(sign * coalesce((outcome = 'unknown')::int, 0))
        from change group by org_id, created_day
        union all
        select org_id, date '-infinity', pg_backend_pid() & 15, sum(sign), sum(sign * is_active::int),
          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        from change group by org_id having sum(sign) <> 0 or sum(sign * is_active::int) <> 0
        -- One order for everybody, so that two writers in one slot wait for each other and never in a circle.
        order by 1, 2
        on conflict (org_id, day, slot) do update set
          total = counted.total + excluded.total, active = counted.active + excluded.active, placed = counted.placed + excluded.placed,
          answered = counted.answered + excluded.answered, answered_seconds = counted.answered_seconds + excluded.answered_seconds,
          status_queued = counted.status_queued + excluded.status_queued, status_ringing = counted.status_ringing + excluded.status_ringing,
          status_in_progress = counted.status_in_progress + excluded.status_in_progress,
          status_completed = counted.status_completed + excluded.status_completed, status_busy = counted.status_busy + excluded.status_busy,
          status_no_answer = counted.status_no_answer + excluded.status_no_answer, status_failed = counted.status_failed + excluded.status_failed,
          status_canceled = counted.status_canceled + excluded.status_canceled,
          outcome_goal_met = counted.outcome_goal_met + excluded.outcome_goal_met,
          outcome_goal_not_met = counted.outcome_goal_not_met + excluded.outcome_goal_not_met,
          outcome_callback_requested = counted.outcome_callback_requested + excluded.outcome_callback_requested,
          outcome_transferred = counted.outcome_transferred + excluded.outcome_transferred,
          outcome_voicemail = counted.outcome_voicemail + excluded.outcome_voicemail,
          outcome_no_answer = counted.outcome_no_answer + excluded.outcome_no_answer, outcome_busy = counted.outcome_busy + excluded.outcome_busy,
          outcome_declined = counted.outcome_declined + excluded.outcome_declined,
          outcome_wrong_number = counted.outcome_wrong_number + excluded.outcome_wrong_number,
          outcome_do_not_call = counted.outcome_do_not_call + excluded.outcome_do_not_call,
          outcome_failed = counted.outcome_failed + excluded.outcome_failed, outcome_unknown = counted.outcome_unknown + excluded.outcome_unknown;
        return null;
      end $body$;

      create trigger calls_counted_on_%1$s after %1$s on calls referencing %3$s
        for each statement execute function calls_counted_on_%1$s();
    $sql$, operation, changes ->> operation, tables ->> operation);
  end loop;
end $migration$;

create function calls_counted_on_truncate() returns trigger language plpgsql as $body$
begin
  truncate call_counts;
  return null;
end $body$;

create trigger calls_counted_on_truncate after truncate on calls
  for each statement execute function calls_counted_on_truncate();
