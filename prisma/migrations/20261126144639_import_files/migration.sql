-- AlterTable
ALTER TABLE "contact_imports" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'csv',
ADD COLUMN     "sheet" TEXT,
ADD COLUMN     "sheets" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "table_id" UUID;

-- AlterTable
ALTER TABLE "uploads" ADD COLUMN     "derived_from_id" UUID;

-- CreateIndex
CREATE INDEX "uploads_by_origin" ON "uploads"("derived_from_id");

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_derived_from_id_fkey" FOREIGN KEY ("derived_from_id") REFERENCES "uploads"("id") ON DELETE CASCADE ON UPDATE CASCADE;
