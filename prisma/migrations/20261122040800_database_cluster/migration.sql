-- Which PostgreSQL cluster the database was last used in, so that a restored dump is noticed: see src/database/restored.ts.
CREATE TABLE "database_cluster" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "system_identifier" TEXT NOT NULL,

    CONSTRAINT "database_cluster_pkey" PRIMARY KEY ("id")
);

-- ============================================================ by hand

-- One row.
alter table database_cluster add constraint database_cluster_one check (id);
