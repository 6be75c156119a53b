-- AlterTable
ALTER TABLE "contact_imports" ADD COLUMN     "header_row" INTEGER;
