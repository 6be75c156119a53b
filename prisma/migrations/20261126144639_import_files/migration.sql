-- AlterTable
ALTER TABLE "contact_imports" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'csv',
ADD COLUMN     "sheet" TEXT,
ADD COLUMN     "sheets" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "table_id" UUID;

-- AlterTable
ALTER TABLE "uploads" ADD COLUMN     "derived_from_id" UUID CONSTRAINT "uploads_derived_from_id_fkey" REFERENCES "uploads"("id") ON DELETE CASCADE ON UPDATE CASCADE;
