-- AlterTable
ALTER TABLE "voice_agents" ADD COLUMN     "language" TEXT,
ADD COLUMN     "voice" TEXT;
