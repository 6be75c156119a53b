-- AlterTable
ALTER TABLE "contact_bulk_changes" ADD COLUMN     "failures" JSONB NOT NULL DEFAULT '[]';
