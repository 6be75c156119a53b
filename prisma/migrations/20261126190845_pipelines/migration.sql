-- CreateTable
CREATE TABLE "pipelines" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "pipelines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stages" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "pipeline_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "probability" INTEGER NOT NULL,
    "stale_after_days" INTEGER,

    CONSTRAINT "stages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deal_settings" (
    "org_id" UUID NOT NULL,
    "lost_reasons" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "deal_settings_pkey" PRIMARY KEY ("org_id")
);

-- CreateIndex
CREATE INDEX "pipelines_org_id_idx" ON "pipelines"("org_id");

-- CreateIndex
CREATE INDEX "stages_org_id_pipeline_id_idx" ON "stages"("org_id", "pipeline_id");
