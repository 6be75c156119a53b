-- The first organization of an installation, and one-use addresses by which a person becomes an organization's owner or member.

ALTER TABLE "organizations" ADD COLUMN "is_first" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "organization_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "invited_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3),
    "used_by_id" TEXT,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");
CREATE INDEX "invitations_organization_id_idx" ON "invitations"("organization_id");

ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- ---- by hand

ALTER TABLE invitations ADD CONSTRAINT invitations_role CHECK (role IN ('owner', 'member'));
CREATE UNIQUE INDEX organizations_first ON organizations (is_first) WHERE is_first;

-- The one that a first start has made so far.
UPDATE organizations SET is_first = true
WHERE id = (SELECT organization_id FROM memberships WHERE user_id LIKE 'owner-%' ORDER BY created_at, organization_id LIMIT 1);
