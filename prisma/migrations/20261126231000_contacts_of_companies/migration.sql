-- AlterTable
ALTER TABLE "contacts" ADD COLUMN     "company_id" UUID;
