-- CreateTable
CREATE TABLE "invitation_mails" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitation_mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "invitation_mails_organization_id_sent_at_idx" ON "invitation_mails"("organization_id", "sent_at");

-- CreateIndex
CREATE INDEX "invitation_mails_email_sent_at_idx" ON "invitation_mails"("email", "sent_at");

-- CreateIndex
CREATE INDEX "invitation_mails_sent_at_idx" ON "invitation_mails"("sent_at");
