-- CreateTable
CREATE TABLE "work_begun" (
    "id" UUID NOT NULL,
    "token" UUID NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "workers_lost" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "work_begun_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "work_begun_lease_until_idx" ON "work_begun"("lease_until");
