-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "currency" TEXT;
