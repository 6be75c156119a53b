-- AlterTable
ALTER TABLE "user_preferences" ADD COLUMN     "language" TEXT;
