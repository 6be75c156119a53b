-- Changes of many contacts at once, and how each is taken back.

-- CreateTable
CREATE TABLE "contact_bulk_changes" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "filter" JSONB,
    "contact_ids" TEXT[],
    "undo_of_id" UUID,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "status_reason" TEXT,
    "total" INTEGER,
    "position_key" TEXT,
    "position_id" UUID,
    "changed_count" INTEGER NOT NULL DEFAULT 0,
    "unchanged_count" INTEGER NOT NULL DEFAULT 0,
    "failed_count" INTEGER NOT NULL DEFAULT 0,
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "contact_bulk_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contact_bulk_reversals" (
    "change_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "reversal" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_bulk_reversals_pkey" PRIMARY KEY ("change_id","contact_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "contact_bulk_changes_undo_of_id_key" ON "contact_bulk_changes"("undo_of_id");

-- CreateIndex
CREATE INDEX "contact_bulk_changes_by_created" ON "contact_bulk_changes"("org_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "contact_bulk_reversals_created_at_idx" ON "contact_bulk_reversals"("created_at");

-- AddForeignKey
ALTER TABLE "contact_bulk_reversals" ADD CONSTRAINT "contact_bulk_reversals_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "contact_bulk_changes"("id") ON DELETE CASCADE ON UPDATE CASCADE;
