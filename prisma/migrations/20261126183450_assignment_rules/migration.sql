-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "failing_told_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "assignment_rules" (
    "org_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "entries" JSONB NOT NULL DEFAULT '[]',
    "user_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "position" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "assignment_rules_pkey" PRIMARY KEY ("org_id")
);

-- AddForeignKey
ALTER TABLE "assignment_rules" ADD CONSTRAINT "assignment_rules_org_id_fkey" FOREIGN KEY ("org_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
