-- AlterTable
ALTER TABLE "enrichment_jobs" ADD COLUMN     "readings" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "steps_at_claim" SMALLINT NOT NULL DEFAULT 0;
