-- CreateTable
CREATE TABLE "enrichment_recipes" (
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "enrichment_recipes_pkey" PRIMARY KEY ("name","version")
);

-- CreateTable
CREATE TABLE "enrichment_jobs" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "host_app" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "target_kind" TEXT NOT NULL,
    "contact_id" UUID,
    "recipe" TEXT NOT NULL,
    "recipe_version" INTEGER NOT NULL,
    "options" JSONB NOT NULL DEFAULT '{}',
    "status" TEXT NOT NULL DEFAULT 'queued',
    "result" TEXT,
    "steps" JSONB NOT NULL DEFAULT '[]',
    "findings" JSONB NOT NULL DEFAULT '[]',
    "error" TEXT,
    "suggestion_count" INTEGER NOT NULL DEFAULT 0,
    "payer_id" TEXT,
    "hold_id" UUID,
    "credits_reserved" BIGINT NOT NULL DEFAULT 0,
    "credits_charged" BIGINT NOT NULL DEFAULT 0,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "run_after" TIMESTAMPTZ(3) NOT NULL,
    "claim" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "served_at" TIMESTAMPTZ(3),
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "enrichment_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suggestions" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "job_id" UUID,
    "call_id" UUID,
    "contact_id" UUID,
    "host_app" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "target_kind" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "value_type" TEXT NOT NULL,
    "current_value" JSONB,
    "proposed_value" JSONB NOT NULL,
    "confidence" REAL NOT NULL,
    "verification" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "source_url" TEXT,
    "evidence" TEXT,
    "recipe_step" TEXT,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "decided_by_type" TEXT,
    "decided_by_id" TEXT,
    "decided_by_name" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suggestions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "enrichment_counts" (
    "org_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "total" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "enrichment_counts_pkey" PRIMARY KEY ("org_id","kind","status","slot")
);

-- CreateIndex
CREATE INDEX "enrichment_jobs_by_created" ON "enrichment_jobs"("org_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "suggestions_by_created" ON "suggestions"("org_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "suggestions_by_contact" ON "suggestions"("contact_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "enrichment_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- ============================================================ by hand

-- ---- values

alter table enrichment_jobs
  add constraint enrichment_jobs_status check (status in ('queued', 'running', 'completed', 'failed', 'canceled', 'insufficient_credits')),
  add constraint enrichment_jobs_result check (result in ('found', 'partial', 'no_data')),
  -- Whoever runs a job holds a claim with an end, and nobody else does.
  add constraint enrichment_jobs_claim check ((status = 'running') = (claim is not null) and (claim is null) = (lease_until is null)),
  add constraint enrichment_jobs_finished check ((finished_at is null) = (status in ('queued', 'running')));

alter table suggestions
  add constraint suggestions_status check (status in ('pending', 'accepted', 'rejected', 'auto_applied', 'superseded', 'expired')),
  add constraint suggestions_verification check (verification in ('verified', 'probable', 'catch_all', 'unverified')),
  add constraint suggestions_confidence check (confidence between 0 and 1),
  add constraint suggestions_decided check ((decided_at is null) = (status = 'pending'));

-- ---- uniqueness and queues

-- One open job for a target and a recipe: asking again finds it.
create unique index enrichment_jobs_open on enrichment_jobs (org_id, host_app, target_kind, target_id, recipe) where status in ('queued', 'running');
-- The queue: which organizations wait, and of each the job that is next. Retries come behind what has not been tried.
create index enrichment_jobs_waiting on enrichment_jobs (org_id, attempts, run_after, id) where status = 'queued';
create index enrichment_jobs_running on enrichment_jobs (lease_until) where status = 'running';
create index enrichment_jobs_served on enrichment_jobs (org_id, served_at) where served_at is not null;
-- A job is changed a few times in its short life; the new versions find room beside the old.
alter table enrichment_jobs set (fillfactor = 70);

-- A job ends once, a call is read once: one suggestion for each field.
create unique index suggestions_of_job on suggestions (job_id, field) where job_id is not null;
create unique index suggestions_of_call on suggestions (call_id, field) where call_id is not null;
-- The newest proposal for a field is the one that waits.
create unique index suggestions_pending on suggestions (org_id, host_app, target_kind, target_id, field) where status = 'pending';
create index suggestions_expiring on suggestions (expires_at) where status = 'pending';
create index suggestions_waiting on suggestions (org_id, created_at, id) where status = 'pending';

-- ---- enrichment_counts: kept by the statements that change jobs and suggestions, in their own transaction, like contact_counts

alter table enrichment_counts set (fillfactor = 50);

do $migration$
declare
  kind text;
  source text;
  operation text;
  changes constant jsonb := jsonb_build_object(
    'insert', 'select 1 as sign, org_id, status from came',
    'delete', 'select -1 as sign, org_id, status from went',
    'update', 'select 1 as sign, org_id, status from came union all select -1 as sign, org_id, status from went');
  tables constant jsonb := jsonb_build_object(
    'insert', 'new table as came', 'delete', 'old table as went', 'update', 'old table as went new table as came');
begin
  foreach kind in array array['job', 'suggestion'] loop
    source := case kind when 'job' then 'enrichment_jobs' else 'suggestions' end;
    foreach operation in array array['insert', 'update', 'delete'] loop
      execute format($sql$
        create function %4$s_counted_on_%1$s() returns trigger language plpgsql as $body$
        begin
          insert into enrichment_counts as counted (org_id, kind, status, slot, total)
          select org_id, '%5$s', status, pg_backend_pid() & 15, sum(sign) from (%2$s) change group by org_id, status having sum(sign) <> 0
          -- One order for everybody, so that two writers in one slot wait for each other and never in a circle.
          order by 1, 3
          on conflict (org_id, kind, status, slot) do update set total = counted.total + excluded.total;
          return null;
        end $body$;

        create trigger %4$s_counted_on_%1$s after %1$s on %4$s referencing %3$s
          for each statement execute function %4$s_counted_on_%1$s();
      $sql$, operation, changes ->> operation, tables ->> operation, source, kind);
    end loop;
  end loop;
end $migration$;
