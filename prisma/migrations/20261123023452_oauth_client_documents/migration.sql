-- OAuth clients whose id is the address of their metadata.

-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "metadata_url" TEXT,
ADD COLUMN     "read_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE UNIQUE INDEX "oauth_clients_metadata_url_key" ON "oauth_clients"("metadata_url");
