// Migrations as the guide describes them, made up: they only expand, and touch the largest tables.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MigrationFiles, migrationStatus, pendingWithJudgments } from '../../src/database/migrations/migrate.ts'
import { reviewMigrations } from '../../src/database/migrations/review/review.ts'
import { reviewsFile } from '../../src/database/migrations/review/reviews.ts'
import { projectRoot } from '../crash/server.ts'

export const madeUp: Readonly<Record<string, string>> = {
  '29990101000000_expand': `alter table contacts add column town text, add column seen_at timestamptz not null default now();
alter table contacts add constraint contacts_town_short check (length(town) < 1000) not valid;
create table towns (id uuid primary key, contact_id uuid not null references contacts (id), name text not null);
create index towns_by_contact on towns (contact_id);
create function contacts_town() returns trigger language plpgsql as $$ begin new.town := new.city; return new; end $$;
create trigger contacts_town before insert or update of city on contacts for each row execute function contacts_town();
`,
  '29990102000000_migrate': `-- outside a transaction
-- repeat until no row changes
update contacts set town = coalesce(city, '') where id in (select id from contacts where town is null limit 500);
alter table contacts validate constraint contacts_town_short;
create index concurrently if not exists contacts_by_town on contacts (org_id, town, id) where deleted_at is null;
create index concurrently if not exists calls_by_town on calls (created_at, id);
`,
}

/** The migrations of this release and those above, and what their status says wrongly of them. */
export async function withMadeUp(folder: string, url: string): Promise<{ files: MigrationFiles; status: string[] }> {
  const files = { directory: join(folder, 'migrations'), schema: join(projectRoot, 'prisma/schema.prisma') }
  cpSync(join(projectRoot, 'prisma/migrations'), files.directory, { recursive: true })
  for (const [name, script] of Object.entries(madeUp)) {
    mkdirSync(join(files.directory, name))
    writeFileSync(join(files.directory, name, 'migration.sql'), script)
  }
  const reviews = await reviewMigrations(Object.entries(madeUp).map(([name, script]) => ({ name, script })))
  writeFileSync(join(files.directory, reviewsFile), JSON.stringify(reviews))
  const pending = pendingWithJudgments(await migrationStatus(url, files), files)
  const unsafe = pending.filter(({ isSafe }) => !isSafe).map(({ name, reasons }) => `${name} is called unsafe: ${reasons.join('; ')}`)
  return { files, status: pending.length === Object.keys(madeUp).length ? unsafe : ['the made-up migrations are not pending'] }
}
