-- AlterTable
ALTER TABLE "gateway_runs" ADD COLUMN     "asked_by_id" TEXT;

-- AlterTable
ALTER TABLE "gateway_sessions" ADD COLUMN     "last_recipient_by_id" TEXT;
