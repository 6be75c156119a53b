-- CreateTable
CREATE TABLE "gateway_moved_recipients" (
    "org_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "moved_to" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "gateway_moved_recipients_pkey" PRIMARY KEY ("org_id","channel","recipient")
);
