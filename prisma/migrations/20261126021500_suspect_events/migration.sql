-- AlterTable
ALTER TABLE "gateway_events" ADD COLUMN     "is_suspect" BOOLEAN NOT NULL DEFAULT false;
