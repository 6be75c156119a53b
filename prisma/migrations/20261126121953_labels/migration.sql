-- CreateTable
CREATE TABLE "labels" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "color" TEXT NOT NULL DEFAULT 'gray',
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "labels_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "labels_by_created" ON "labels"("org_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "labels_org_id_name_key_key" ON "labels"("org_id", "name_key");
