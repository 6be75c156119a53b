-- AlterTable
ALTER TABLE "credit_accounts" ADD COLUMN     "successor_id" TEXT;
