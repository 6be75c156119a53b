-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "links_contacts" BOOLEAN NOT NULL DEFAULT true;
