-- AlterTable
ALTER TABLE "inbox_digests" ADD COLUMN     "hour" INTEGER NOT NULL DEFAULT 8,
ALTER COLUMN "until_at" DROP NOT NULL;

-- AlterTable
ALTER TABLE "inbox_items" ADD COLUMN     "mail_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "inbox_preferences" ADD COLUMN     "inbox" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "toast" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "mail_handovers" (
    "id" UUID NOT NULL,
    "handed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_handovers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mail_handovers_by_age" ON "mail_handovers"("handed_at");
