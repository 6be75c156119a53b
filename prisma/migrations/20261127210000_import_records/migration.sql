-- CreateTable
CREATE TABLE "contact_import_records" (
    "import_id" UUID NOT NULL,
    "record_id" UUID NOT NULL,
    "noun" TEXT NOT NULL,
    "is_created" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,
    "changes" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_import_records_pkey" PRIMARY KEY ("import_id","record_id")
);

-- CreateIndex
CREATE INDEX "contact_import_records_created_at_idx" ON "contact_import_records"("created_at");

-- AddForeignKey
ALTER TABLE "contact_import_records" ADD CONSTRAINT "contact_import_records_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "contact_imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;
