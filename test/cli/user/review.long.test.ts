// rolocom enrich and suggestions review, whose keys are typed into a pseudo-terminal.

import { afterAll, expect, test, vi } from 'vitest'
import { givenContact } from '../../enrichment/outcome.ts'
import { lookup, startEnriching, startSource } from '../../enrichment/source.ts'
import { hasTerminal } from '../../tour/terminal.ts'
import { newUser } from './rolocom.ts'

const source = await startSource()
const app = await startEnriching([lookup(source.url)])
const { key } = await app.given.apiKey()
const user = newUser({ ROLOCOM_URL: app.url, ROLOCOM_API_KEY: key })
source.says('/lookup', { sure: 0.9, job: 'Analyst' })
afterAll(async () => {
  user.leave()
  await app.close()
  await source.close()
})

async function enriched(email: string): Promise<string> {
  const { id } = await givenContact(app, key, { email })
  const { status, out } = await user.run(['enrich', id, '--recipe', 'lookup', '--watch'])
  expect([status, JSON.parse(out)]).toEqual([0, expect.objectContaining({ status: 'completed', suggestion_count: 1 })])
  return id
}

test.skipIf(!hasTerminal)('keys accept, decline and take back; a decision is sent with the next one, and at the end', async () => {
  const [first, second] = [await enriched('first@example.com'), await enriched('second@example.com')]
  const terminal = user.open(['suggestions', 'review'])
  const press = async (key: string, questions: number) => {
    await vi.waitFor(() => expect(terminal.shown().match(/Accept\?[\s\S]*?quit/g) ?? []).toHaveLength(questions), { timeout: 60_000 })
    terminal.type(key)
  }

  // The newest comes first: it is declined, which is taken back, and accepted; the other is declined.
  await press('d', 1)
  await press('u', 2)
  await press('a', 3)
  await press('d', 4)
  expect(await terminal.ended).toBe(0)

  expect(terminal.shown()).toContain('1 accepted, 1 declined')
  const stateOf = async (id: string) => (await app.rest('GET', `/api/enrich/v1/suggestions?contact_id=${id}`, { key })).body.data[0].status
  expect([await stateOf(first), await stateOf(second)]).toEqual(['rejected', 'accepted'])
})

test('without a terminal review says what works instead, with 2', async () => {
  expect(await user.run(['suggestions', 'review'])).toEqual({ status: 2, out: '', err: expect.stringContaining('suggestions list') })
})
