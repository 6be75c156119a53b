-- AlterTable
ALTER TABLE "contacts" ADD COLUMN     "pronouns" TEXT;
