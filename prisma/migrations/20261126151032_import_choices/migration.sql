-- AlterTable
ALTER TABLE "contact_imports" ADD COLUMN     "country" TEXT,
ADD COLUMN     "edits" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "values" JSONB NOT NULL DEFAULT '[]';
