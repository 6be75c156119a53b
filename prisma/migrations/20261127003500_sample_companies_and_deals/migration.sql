-- AlterTable
ALTER TABLE "sample_data" ADD COLUMN "company_ids" UUID[] DEFAULT ARRAY[]::UUID[], ADD COLUMN "deal_ids" UUID[] DEFAULT ARRAY[]::UUID[];
