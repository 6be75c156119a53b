-- The gateway: conversations and their turns, runs of agents, system events, deliveries.
-- The first part is written by `npm run migrate -- new` from schema.prisma; the last, by hand, holds what Prisma cannot express.

CREATE TABLE "gateway_sessions" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "last_channel" TEXT,
    "last_recipient" TEXT,
    "turn_count" INTEGER NOT NULL DEFAULT 0,
    "heartbeat_at" TIMESTAMPTZ(3),
    "heartbeat_failures" INTEGER NOT NULL DEFAULT 0,
    "heartbeat_not_before" TIMESTAMPTZ(3),
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "gateway_sessions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "gateway_turns" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "text" TEXT NOT NULL DEFAULT '',
    "tool_call_id" TEXT,
    "tool_name" TEXT,
    "tool_input" JSONB,
    "tool_output" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "gateway_turns_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "gateway_runs" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "name" TEXT,
    "origin" TEXT,
    "message" TEXT NOT NULL,
    "wake_mode" TEXT NOT NULL,
    "deliver" BOOLEAN NOT NULL,
    "channel" TEXT NOT NULL,
    "recipient" TEXT,
    "model" TEXT NOT NULL,
    "thinking" TEXT,
    "timeout_seconds" DOUBLE PRECISION NOT NULL,
    "scopes" TEXT[],
    "credit_ceiling" BIGINT NOT NULL,
    "credits_reserved" BIGINT NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "steps" INTEGER NOT NULL DEFAULT 0,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "reply" TEXT,
    "summary" TEXT,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "gateway_runs_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "gateway_events" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "source" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "run_id" UUID,
    "heartbeat_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "gateway_events_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "gateway_deliveries" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "recipient" TEXT,
    "part" INTEGER NOT NULL,
    "parts" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "message_id" TEXT,
    "reason" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "gateway_deliveries_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "gateway_sessions_created_at_idx" ON "gateway_sessions"("created_at");

CREATE UNIQUE INDEX "gateway_sessions_org_id_key_key" ON "gateway_sessions"("org_id", "key");

CREATE INDEX "gateway_turns_run_id_idx" ON "gateway_turns"("run_id");

CREATE UNIQUE INDEX "gateway_turns_session_id_seq_key" ON "gateway_turns"("session_id", "seq");

CREATE INDEX "gateway_runs_by_age" ON "gateway_runs"("org_id", "id" DESC);

CREATE INDEX "gateway_runs_by_session" ON "gateway_runs"("session_id", "position");

CREATE INDEX "gateway_events_age" ON "gateway_events" USING BRIN ("created_at");

CREATE UNIQUE INDEX "gateway_deliveries_run_id_part_key" ON "gateway_deliveries"("run_id", "part");

ALTER TABLE "gateway_turns" ADD CONSTRAINT "gateway_turns_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "gateway_sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "gateway_turns" ADD CONSTRAINT "gateway_turns_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "gateway_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "gateway_runs" ADD CONSTRAINT "gateway_runs_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "gateway_sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "gateway_deliveries" ADD CONSTRAINT "gateway_deliveries_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "gateway_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is still to be done, and nothing else, so that asking for it costs the same however much was done before.
CREATE INDEX "gateway_events_queued" ON "gateway_events"("org_id", "position") WHERE "heartbeat_id" IS NULL;
CREATE INDEX "gateway_events_taken" ON "gateway_events"("heartbeat_id", "position") WHERE "heartbeat_id" IS NOT NULL;
CREATE INDEX "gateway_runs_queue" ON "gateway_runs"("position") WHERE "status" IN ('accepted', 'running');
CREATE INDEX "gateway_runs_open" ON "gateway_runs"("session_id", "position") WHERE "status" IN ('accepted', 'running');
CREATE INDEX "gateway_runs_running" ON "gateway_runs"("session_id") WHERE "status" = 'running';
CREATE INDEX "gateway_deliveries_open" ON "gateway_deliveries"("due_at") WHERE "state" IN ('pending', 'sending');

-- One heartbeat at a time, whatever the processes believe.
CREATE UNIQUE INDEX "gateway_runs_one_heartbeat" ON "gateway_runs"("session_id") WHERE "kind" = 'heartbeat' AND "status" = 'running';
