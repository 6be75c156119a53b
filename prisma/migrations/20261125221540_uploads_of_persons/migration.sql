-- AlterTable
ALTER TABLE "uploads" ADD COLUMN     "is_used" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "uploaded_by" TEXT NOT NULL DEFAULT '';
