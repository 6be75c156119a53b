-- AlterTable
ALTER TABLE "contact_imports" ADD COLUMN     "started_by" JSONB;
