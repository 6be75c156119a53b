// PostGraphile with its recommended preset, in production mode, over the tables that the cases ask for. The documents name the organization,
// which the API key does not limit here.

import { grafserv } from 'grafserv/fastify/v4'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { jsonPgSmartTags } from 'postgraphile/utils'
import { createApp } from './every-request.js'

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
  grafast: { explain: false },
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
}
const app = createApp({ isWrite: () => false, headers: { 'cache-control': 'no-store' } })
await postgraphile(preset).createServ(grafserv).addTo(app)
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
