-- AlterTable
ALTER TABLE "contact_notes" ADD COLUMN     "mentions" JSONB NOT NULL DEFAULT '[]';

-- CreateTable
CREATE TABLE "inbox_items" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "contact_id" UUID,
    "title" TEXT,
    "result" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,
    "event_id" UUID NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "shown_at" TIMESTAMPTZ(3) NOT NULL,
    "done_at" TIMESTAMPTZ(3),
    "snoozed_until" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "inbox_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbox_preferences" (
    "user_id" TEXT NOT NULL,
    "org_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "mail" TEXT NOT NULL,
    "browser" BOOLEAN NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "inbox_preferences_pkey" PRIMARY KEY ("user_id","org_id","kind")
);

-- CreateTable
CREATE TABLE "inbox_digests" (
    "user_id" TEXT NOT NULL,
    "org_id" UUID NOT NULL,
    "until_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "inbox_digests_pkey" PRIMARY KEY ("user_id","org_id")
);

-- CreateTable
CREATE TABLE "inbox_reader" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "cluster" TEXT NOT NULL,
    "since" TEXT NOT NULL,
    "until" TEXT,
    "sequence" BIGINT NOT NULL,

    CONSTRAINT "inbox_reader_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "inbox_items_by_person" ON "inbox_items"("org_id", "user_id", "shown_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "inbox_items_event_id_user_id_key" ON "inbox_items"("event_id", "user_id");

-- AddForeignKey
ALTER TABLE "inbox_items" ADD CONSTRAINT "inbox_items_user_id_org_id_fkey" FOREIGN KEY ("user_id", "org_id") REFERENCES "memberships"("user_id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbox_preferences" ADD CONSTRAINT "inbox_preferences_user_id_org_id_fkey" FOREIGN KEY ("user_id", "org_id") REFERENCES "memberships"("user_id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbox_digests" ADD CONSTRAINT "inbox_digests_user_id_org_id_fkey" FOREIGN KEY ("user_id", "org_id") REFERENCES "memberships"("user_id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

create index inbox_items_open on inbox_items (org_id, user_id, shown_at, id) where done_at is null;
create index inbox_items_by_end on inbox_items (done_at) where done_at is not null;
