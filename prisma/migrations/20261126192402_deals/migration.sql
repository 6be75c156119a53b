-- CreateTable
CREATE TABLE "deals" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "pipeline_id" UUID NOT NULL,
    "stage_id" UUID NOT NULL,
    "position" TEXT COLLATE "C" NOT NULL,
    "company_id" UUID,
    "amount" BIGINT,
    "currency" TEXT,
    "expected_close" DATE,
    "owner_user_id" TEXT,
    "won_at" TIMESTAMPTZ(3),
    "lost_at" TIMESTAMPTZ(3),
    "lost_reason" TEXT,
    "stage_changed_at" TIMESTAMPTZ(3) NOT NULL,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "custom" JSONB NOT NULL DEFAULT '{}',
    "external_id" TEXT,
    "source" TEXT NOT NULL,
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "search_text" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "deals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deal_contacts" (
    "org_id" UUID NOT NULL,
    "deal_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "role" TEXT,

    CONSTRAINT "deal_contacts_pkey" PRIMARY KEY ("org_id","deal_id","contact_id")
);

-- CreateTable
CREATE TABLE "deal_stage_changes" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "deal_id" UUID NOT NULL,
    "from_stage_id" UUID,
    "from_name" TEXT,
    "to_stage_id" UUID NOT NULL,
    "to_name" TEXT NOT NULL,
    "changed_by_type" TEXT NOT NULL,
    "changed_by_id" TEXT,
    "changed_by_name" TEXT,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deal_stage_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "deals_search_by_organization" ON "deals" USING GIN ("org_id" uuid_ops, "search_text" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "deals_org_id_stage_id_position_key" ON "deals"("org_id", "stage_id", "position");

-- CreateIndex
CREATE INDEX "deal_contacts_org_id_contact_id_idx" ON "deal_contacts"("org_id", "contact_id");

-- CreateIndex
CREATE INDEX "deal_stage_changes_org_id_deal_id_id_idx" ON "deal_stage_changes"("org_id", "deal_id", "id");

-- The orders of lists, with the expressions of the statements.
create index deals_by_creation on deals (org_id, created_at, id) where deleted_at is null;
create index deals_by_change on deals (org_id, updated_at, id) where deleted_at is null;
create index deals_by_title on deals (org_id, (lower(title) collate "C"), id) where deleted_at is null;
create index deals_by_expected_close on deals (org_id, expected_close, id) where deleted_at is null;
create index deals_by_owner on deals (org_id, owner_user_id, created_at, id) where deleted_at is null;
create index deals_by_company on deals (org_id, company_id, created_at, id) where company_id is not null and deleted_at is null;
create index deals_deleted on deals (org_id, created_at, id) where deleted_at is not null;
create index deals_by_external_id on deals (org_id, external_id, id) where external_id is not null and deleted_at is null;
create index deals_by_tag on deals using gin (org_id uuid_ops, tags) where tags <> '{}';
