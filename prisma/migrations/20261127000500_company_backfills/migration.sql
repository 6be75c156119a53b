-- CreateTable
CREATE TABLE "company_backfills" (
    "org_id" UUID NOT NULL,
    "pass" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3),
    "contact_id" UUID,
    "worked_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "company_backfills_pkey" PRIMARY KEY ("org_id")
);
