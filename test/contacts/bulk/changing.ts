// Starts bulk changes, and waits for their end.

import { expect } from 'vitest'
import type { Json, TestApp } from '../../support/app.ts'

const fields = `id action status statusReason total changedCount unchangedCount failedCount undoOfId`
export const asking =
  (on: TestApp, credential: Json) =>
  async (text: string, variables: Json = {}): Promise<Json> => {
    const { body } = await on.graphql(text, variables, credential)
    return body.errors ? { error: body.errors[0].extensions } : body.data
  }
export type Ask = ReturnType<typeof asking>

export async function organizationIn(on: TestApp) {
  const { session, userId, orgId } = await on.given.session()
  const ask = asking(on, { session })
  const create = async (contacts: Json[]): Promise<string[]> => {
    const document =
      'mutation ($contacts: [CreateContactInput!]!) { batchContacts(input: { contacts: $contacts }) { results { contactId } } }'
    return (await ask(document, { contacts })).batchContacts.results.map(({ contactId }: Json) => contactId)
  }
  return { ask, create, userId, orgId, session }
}

/** Starts a bulk change, and resolves with it when it has ended. */
export async function done(ask: Ask, mutation: string, input: string, variables: Json = {}, types = ''): Promise<Json> {
  const started = await ask(`mutation ${types} { ${mutation}(input: { ${input} }) { id status } }`, variables)
  expect(started[mutation]).toMatchObject({ status: 'QUEUED' })
  return ended(ask, started[mutation].id, nounOf(mutation))
}

const nounOf = (mutation: string) => (/compan/i.test(mutation) ? 'company' : /deal/i.test(mutation) ? 'deal' : 'contact')

export async function ended(ask: Ask, id: string, noun: 'contact' | 'company' | 'deal' = 'contact'): Promise<Json> {
  const query = `{ change: ${noun}BulkChange(id: "${id}") { ${fields} undoneById failures { ${noun}Id otherId error { code message } } } }`
  let last: Json
  await expect
    .poll(
      async () => {
        last = (await ask(query)).change
        return last.status
      },
      { timeout: 30_000, interval: 50 },
    )
    .not.toMatch(/QUEUED|RUNNING/)
  return last
}

export const counts = ({ status, total, changedCount, unchangedCount, failedCount }: Json) => [
  status,
  total,
  changedCount,
  unchangedCount,
  failedCount,
]
