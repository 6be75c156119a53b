-- AlterTable
ALTER TABLE "enrichment_jobs" ADD COLUMN     "workers_lost" SMALLINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "gateway_deliveries" ADD COLUMN     "workers_lost" SMALLINT NOT NULL DEFAULT 0;
