-- AlterTable
ALTER TABLE "oauth_tokens" ADD COLUMN     "answer" TEXT;
