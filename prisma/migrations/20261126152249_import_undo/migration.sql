-- AlterTable
ALTER TABLE "contact_imports" ADD COLUMN     "undo" JSONB;

-- CreateTable
CREATE TABLE "contact_import_contacts" (
    "import_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "is_created" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,

    CONSTRAINT "contact_import_contacts_pkey" PRIMARY KEY ("import_id","contact_id")
);

-- CreateTable
CREATE TABLE "contact_import_reversals" (
    "import_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "changes" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_import_reversals_pkey" PRIMARY KEY ("import_id","contact_id")
);

-- CreateIndex
CREATE INDEX "contact_import_reversals_created_at_idx" ON "contact_import_reversals"("created_at");

-- AddForeignKey
ALTER TABLE "contact_import_contacts" ADD CONSTRAINT "contact_import_contacts_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "contact_imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contact_import_reversals" ADD CONSTRAINT "contact_import_reversals_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "contact_imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;
