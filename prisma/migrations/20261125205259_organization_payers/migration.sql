-- AlterTable
ALTER TABLE "api_key_organizations" ADD COLUMN     "unconfirmed_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "credit_entries" ADD COLUMN     "org_id" UUID;

-- AlterTable
ALTER TABLE "credit_holds" ADD COLUMN     "org_id" UUID;

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "payer_id" TEXT;

-- CreateTable
CREATE TABLE "ownership_offers" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "offered_by_id" TEXT NOT NULL,
    "is_transfer" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "declined_at" TIMESTAMPTZ(3),
    "withdrawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "ownership_offers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ownership_offers_user_id_organization_id_idx" ON "ownership_offers"("user_id", "organization_id");

-- CreateIndex
CREATE INDEX "ownership_offers_organization_id_offered_by_id_idx" ON "ownership_offers"("organization_id", "offered_by_id");

-- CreateIndex
CREATE INDEX "ownership_offers_expires_at_idx" ON "ownership_offers"("expires_at");

-- AddForeignKey
ALTER TABLE "ownership_offers" ADD CONSTRAINT "ownership_offers_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ownership_offers" ADD CONSTRAINT "ownership_offers_user_id_organization_id_fkey" FOREIGN KEY ("user_id", "organization_id") REFERENCES "memberships"("user_id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Who makes an organization, or is the first to be made its owner, pays for its work. In a trigger, so that organizations which processes of
-- the previous release make have a payer, too.
create function memberships_first_payer() returns trigger language plpgsql as $body$
begin
  update organizations set payer_id = new.user_id
  where id = new.organization_id and payer_id is null
    and not exists (select from memberships where organization_id = new.organization_id and user_id <> new.user_id);
  return null;
end $body$;

create trigger memberships_first_payer after insert on memberships
  for each row when (new.role = 'owner') execute function memberships_first_payer();
