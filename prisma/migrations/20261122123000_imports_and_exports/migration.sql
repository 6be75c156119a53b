-- Uploaded files, imports of contacts from them, and one-use links to files that are written when they are downloaded.

CREATE TABLE "uploads" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "byte_count" INTEGER NOT NULL DEFAULT 0,
    "hash" BYTEA,
    "is_utf8" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "uploads_org_id_idx" ON "uploads"("org_id");

CREATE TABLE "upload_chunks" (
    "upload_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "upload_chunks_pkey" PRIMARY KEY ("upload_id","position")
);
ALTER TABLE "upload_chunks" ADD CONSTRAINT "upload_chunks_upload_id_fkey" FOREIGN KEY ("upload_id") REFERENCES "uploads"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "downloads" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "downloads_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "downloads_token_hash_key" ON "downloads"("token_hash");
CREATE INDEX "downloads_expires_at_idx" ON "downloads"("expires_at");

CREATE TABLE "contact_imports" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "upload_id" UUID,
    "file_name" TEXT,
    "byte_count" INTEGER NOT NULL,
    "encoding" TEXT NOT NULL,
    "delimiter" TEXT NOT NULL,
    "has_header" BOOLEAN NOT NULL,
    "columns" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "mapping" JSONB,
    "on_conflict" TEXT,
    "position" INTEGER NOT NULL DEFAULT 0,
    "bytes_read" INTEGER NOT NULL DEFAULT 0,
    "row_count" INTEGER NOT NULL DEFAULT 0,
    "created_count" INTEGER NOT NULL DEFAULT 0,
    "updated_count" INTEGER NOT NULL DEFAULT 0,
    "skipped_count" INTEGER NOT NULL DEFAULT 0,
    "refused_count" INTEGER NOT NULL DEFAULT 0,
    "status_reason" TEXT,
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "contact_imports_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "contact_imports_upload_id_key" ON "contact_imports"("upload_id");
CREATE INDEX "contact_imports_by_created" ON "contact_imports"("org_id", "created_at", "id");

CREATE TABLE "contact_import_refusals" (
    "import_id" UUID NOT NULL,
    "row" INTEGER NOT NULL,
    "cells" TEXT[] NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_import_refusals_pkey" PRIMARY KEY ("import_id","row")
);
CREATE INDEX "contact_import_refusals_created_at_idx" ON "contact_import_refusals"("created_at");
ALTER TABLE "contact_import_refusals" ADD CONSTRAINT "contact_import_refusals_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "contact_imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- ---- by hand

ALTER TABLE contact_imports ADD CONSTRAINT contact_imports_status
  CHECK (status IN ('waiting', 'queued', 'running', 'completed', 'canceled', 'failed'));
-- Compressing costs more than the week that the bytes are kept.
ALTER TABLE upload_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
