// Queries everything with a key of each single scope, and checks which marked values are in the answers.

import { type Scope, scopes } from '../../src/kernel/principal.ts'
import { allowedWith, answersTo } from '../identity/scope-matrix/answers.ts'
import { pricePerMinute, seedMarked } from '../identity/scope-matrix/marked.ts'
import { type Figure, holds } from './report.ts'
import { type Attacked, serviceToken, startAttacked } from './server.ts'

export async function scopeMatrix(): Promise<Figure[]> {
  const server = await startAttacked({ VOICE_PRICE_PER_MINUTE: String(pricePerMinute), ALLOW_USER_HEADER: '1' })
  try {
    const authorization = `Bearer ${server.key}`
    const { body } = await server.ask('POST', '/graphql', {
      headers: { authorization },
      body: { query: '{ me { userId organizations { id } } }' },
    })
    const { userId, organizations } = body.data.me
    const seeded = await seedMarked({
      rest: (method, path, { body: content, key, headers = {} } = {}) =>
        server.ask(method, path, { body: content, headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) } }),
      key: server.key,
      userId,
      serviceToken,
    })
    const figures: Figure[] = []
    for (const scope of scopes) {
      const key = await keyWith(server, userId, organizations[0].id, scope)
      const allowed = allowedWith(scope)
      const { seen, leaks } = await answersTo(server.url, key, allowed, seeded)
      const missing = allowed.filter(kind => !seen.includes(kind))
      figures.push(holds(`${scope} sees ${allowed.join(', ') || 'nothing'}, and no more`, leaks.length + missing.length === 0, 'no'))
      for (const leak of leaks) console.log(`  ${scope} sees ${leak}`)
      if (missing.length > 0) console.log(`  ${scope} does not see ${missing}`)
    }
    return figures
  } finally {
    await server.end()
  }
}

async function keyWith(server: Attacked, userId: string, orgId: string, scope: Scope): Promise<string> {
  const query = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }'
  const variables = { input: { label: scope, scopes: [scope.toUpperCase().replace(':', '_')], organizationIds: [orgId] } }
  const { body } = await server.ask('POST', '/graphql', { headers: { 'x-user-id': userId }, body: { query, variables } })
  return body.data.createApiKey.key
}
