// PostGraphile with its recommended preset, in production mode, over the tables that the cases ask for. Policies of PostgreSQL limit the rows
// to the key's organization, as its documentation recommends: each request runs in a transaction whose settings name the organization.

import { grafserv } from 'grafserv/fastify/v4'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { jsonPgSmartTags } from 'postgraphile/utils'
import { query } from './database.js'
import { createApp } from './every-request.js'

const role = 'rolocom_bench_caller'
const policies = ['contacts', 'calls', 'suggestions', 'voice_agents'].map(
  table => `
    grant select on ${table} to ${role};
    alter table ${table} enable row level security;
    drop policy if exists of_organization on ${table};
    create policy of_organization on ${table} for select to ${role} using (org_id = current_setting('bench.org_id')::uuid);`,
)
const createRole = `if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;`
await query('policies', `do $$ begin ${createRole} grant usage on schema public to ${role}; ${policies.join('')} end $$`, [])

// The project's tables refer to contacts without foreign keys, and their indexes of lists are partial, which PostGraphile does not offer to
// filter or sort by on its own.
const sorted = { tags: { behavior: '+orderBy' } }
const ofContact = { tags: { foreignKey: '(contact_id) references contacts (id)' } }
const tags = jsonPgSmartTags({
  version: 1,
  config: {
    class: { calls: ofContact, suggestions: ofContact },
    attribute: {
      'contacts.created_at': sorted,
      'calls.created_at': sorted,
      'suggestions.created_at': sorted,
      'contacts.deleted_at': { tags: { behavior: '+filterBy' } },
    },
  },
})
const preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [tags],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'], poolConfig: { max: 16 } })],
  grafast: { explain: false, context: ({ fastifyv4: { request } }) => ({ pgSettings: { role, 'bench.org_id': request.key.orgId } }) },
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
}
const app = createApp({ isWrite: () => false, headers: { 'cache-control': 'no-store' } })
await postgraphile(preset).createServ(grafserv).addTo(app)
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
