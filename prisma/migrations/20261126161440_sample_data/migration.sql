-- CreateTable
CREATE TABLE "sample_data" (
    "org_id" UUID NOT NULL,
    "contact_ids" UUID[],
    "agent_ids" UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sample_data_pkey" PRIMARY KEY ("org_id")
);
