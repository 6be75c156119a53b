// Jobs of a process that is killed: the next process waits for their leases.

import { expect, test } from 'vitest'
import { workersOf } from '../support/servers/workers.ts'
import { ended, givenContact } from './outcome.ts'
import { lookup, startEnriching, startSource } from './source.ts'

test('a killed process: another one runs its jobs within a minute, and each has one result', async () => {
  const source = await startSource()
  const server = await startEnriching([lookup(source.url)], { ROLES: 'web,api,session' })
  const recipes = server.services.config.ENRICHMENT_RECIPES ?? ''
  const owner = await server.given.apiKey()
  const { children, startWorker } = workersOf(server, { ENRICHMENT_RECIPES: recipes, OUTGOING_ALLOW_PRIVATE: '127.0.0.1' })
  try {
    let asked = 0
    source.does('/lookup', () => void asked++)
    const first = await startWorker()
    const ids: string[] = []
    for (let index = 0; index < 4; index++) {
      const contact = await givenContact(server, owner.key, { email: `killed-${index}@example.com` })
      const body = { target: { host_app: 'rolocom', id: contact.id, kind: 'contact' }, recipe: 'lookup' }
      ids.push((await server.rest('POST', '/api/enrich/v1/jobs', { key: owner.key, body })).body.job_id)
    }
    await expect.poll(() => asked, { timeout: 30_000 }).toBe(4)

    first.kill('SIGKILL')
    const killedAt = Date.now()
    source.says('/lookup', { sure: 0.9, job: 'Analyst' })
    await startWorker()

    for (const id of ids)
      expect(await ended(server, owner.key, id, 60_000)).toMatchObject({ status: 'completed', attempts: 2, suggestion_count: 1 })
    expect(Date.now() - killedAt).toBeLessThan(60_000)
    expect(await server.services.database.prisma.suggestion.count({ where: { jobId: { in: ids } } })).toBe(4)
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await server.close()
    await source.close()
  }
}, 150_000)
