// A GraphQL endpoint for tests: the same handler with a test schema, and callers that set their principal directly.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeExecutableSchema } from '@graphql-tools/schema'
import express from 'express'
import { createGraphqlEndpoint, type GraphqlOptions } from '../../src/graphql/http/endpoint.ts'
import type { Context, Services } from '../../src/kernel/context.ts'
import type { Principal } from '../../src/kernel/principal.ts'
import type { Json } from '../support/app.ts'

export const anonymous = { kind: 'anonymous' } as const
export const guest = { kind: 'guest', guestId: 'g', orgId: null } as const
export const signedIn: Principal = {
  kind: 'session',
  sessionId: 's',
  userId: 'u',
  email: null,
  name: null,
  orgIds: [],
  roles: {},
  role: null,
  currentOrgId: null,
}

type Resolve = (parent: Json, args: Json, context: Context) => unknown

export interface Behaviour {
  typeDefs: string
  resolvers: Record<string, Record<string, Resolve | { subscribe: Resolve; resolve: Resolve }>>
}

export async function openDoor(
  services: Services,
  { typeDefs, resolvers }: Behaviour,
  { isProduction = false, ...options }: Partial<GraphqlOptions> & { isProduction?: boolean } = {},
) {
  const app = express()
  app.use((req, res, next) => {
    req.id = req.get('x-request-id') ?? 'test'
    res.setHeader('X-Request-Id', req.id)
    next()
  })
  const caller = { principal: { kind: 'system', name: 'test', orgId: null } as Principal }
  app.use(
    '/graphql',
    createGraphqlEndpoint({
      services: { ...services, config: { ...services.config, isProduction } },
      authenticator: { authenticate: () => caller.principal },
      schema: makeExecutableSchema<Context>({ typeDefs, resolvers: resolvers as Json }),
      ...options,
    }),
  )
  const server = createServer(app)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`

  return {
    url,
    /** Sets the principal of the following requests. */
    as(principal: Principal) {
      caller.principal = principal
    },
    /** Variables may be JSON text, for JSON that JSON.stringify cannot produce. */
    async ask(query: string, variables?: Json, headers: Record<string, string> = {}) {
      const given = typeof variables === 'string' ? variables : JSON.stringify(variables ?? {})
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: `{"query":${JSON.stringify(query)},"variables":${given}}`,
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Json }
    },
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
