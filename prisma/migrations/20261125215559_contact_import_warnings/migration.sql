-- AlterTable
ALTER TABLE "contact_imports" ADD COLUMN     "warning_count" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "country" TEXT;

-- CreateTable
CREATE TABLE "contact_import_warnings" (
    "import_id" UUID NOT NULL,
    "row" INTEGER NOT NULL,
    "cell" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_import_warnings_pkey" PRIMARY KEY ("import_id","row","cell")
);

-- CreateIndex
CREATE INDEX "contact_import_warnings_created_at_idx" ON "contact_import_warnings"("created_at");

-- AddForeignKey
ALTER TABLE "contact_import_warnings" ADD CONSTRAINT "contact_import_warnings_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "contact_imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;
