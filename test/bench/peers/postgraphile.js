// PostGraphile with its recommended preset, in production mode.

import { createServer } from 'node:http'
import { grafserv } from 'grafserv/node'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: process.env.PGURL, schemas: ['public'], poolConfig: { max: 16 } })],
  grafast: { explain: false },
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
}
const server = createServer()
await postgraphile(preset).createServ(grafserv).addTo(server)
server.listen(Number(process.env.PORT), '127.0.0.1')
