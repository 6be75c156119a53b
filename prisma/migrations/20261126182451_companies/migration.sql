-- CreateTable
CREATE TABLE "companies" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "domain" TEXT,
    "domains" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "website" TEXT,
    "phone" TEXT,
    "linkedin_url" TEXT,
    "industry" TEXT,
    "employee_count" INTEGER,
    "annual_revenue" BIGINT,
    "annual_revenue_currency" TEXT,
    "description" TEXT,
    "city" TEXT,
    "region" TEXT,
    "country" TEXT,
    "owner_user_id" TEXT,
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

    CONSTRAINT "companies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "company_domains" (
    "org_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "company_id" UUID NOT NULL,

    CONSTRAINT "company_domains_pkey" PRIMARY KEY ("org_id","domain")
);

-- CreateTable
CREATE TABLE "timeline_entries" (
    "org_id" UUID NOT NULL,
    "record_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "id" UUID NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "timeline_entries_pkey" PRIMARY KEY ("org_id","record_id","created_at","id")
);

-- CreateIndex
CREATE INDEX "companies_search_by_organization" ON "companies" USING GIN ("org_id" uuid_ops, "search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "company_domains_company_id_idx" ON "company_domains"("company_id");

-- CreateIndex
CREATE INDEX "timeline_entries_by_age" ON "timeline_entries"("created_at");

-- AddForeignKey
ALTER TABLE "company_domains" ADD CONSTRAINT "company_domains_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The orders of lists, with the expressions of the statements.
create index companies_by_creation on companies (org_id, created_at, id) where deleted_at is null;
create index companies_by_change on companies (org_id, updated_at, id) where deleted_at is null;
create index companies_by_name on companies (org_id, (lower(name) collate "C"), id) where deleted_at is null;
create index companies_by_owner on companies (org_id, owner_user_id, created_at, id) where deleted_at is null;
create index companies_deleted on companies (org_id, created_at, id) where deleted_at is not null;
create index companies_by_external_id on companies (org_id, external_id, id) where external_id is not null and deleted_at is null;
create index companies_by_tag on companies using gin (org_id uuid_ops, tags) where tags <> '{}';
-- Lists by domain, of deleted companies, too: they have no row in company_domains.
create index companies_by_domain on companies (org_id, domain) where domain is not null;
create index companies_by_further_domain on companies using gin (org_id uuid_ops, domains) where domains <> '{}';
