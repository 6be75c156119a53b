-- A member's own dashboard, keys by which pages elsewhere read one widget, and the origins of those pages.

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "embed_origins" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "own_dashboards" (
    "user_id" TEXT NOT NULL,
    "org_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "own_dashboards_pkey" PRIMARY KEY ("user_id","org_id")
);

-- CreateTable
CREATE TABLE "dashboard_widgets" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT,
    "range_days" INTEGER,
    "per" TEXT,
    "group_by" TEXT,
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dashboard_widgets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "widget_keys" (
    "id" UUID NOT NULL,
    "widget_id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "last4" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "widget_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "dashboard_widgets_by_position" ON "dashboard_widgets"("user_id", "org_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "widget_keys_hash_key" ON "widget_keys"("hash");

-- CreateIndex
CREATE INDEX "widget_keys_widget_id_idx" ON "widget_keys"("widget_id");

-- CreateIndex
CREATE INDEX "widget_keys_user_id_idx" ON "widget_keys"("user_id");

-- AddForeignKey
ALTER TABLE "own_dashboards" ADD CONSTRAINT "own_dashboards_user_id_org_id_fkey" FOREIGN KEY ("user_id", "org_id") REFERENCES "memberships"("user_id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dashboard_widgets" ADD CONSTRAINT "dashboard_widgets_user_id_org_id_fkey" FOREIGN KEY ("user_id", "org_id") REFERENCES "own_dashboards"("user_id", "org_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "widget_keys" ADD CONSTRAINT "widget_keys_widget_id_fkey" FOREIGN KEY ("widget_id") REFERENCES "dashboard_widgets"("id") ON DELETE CASCADE ON UPDATE CASCADE;
