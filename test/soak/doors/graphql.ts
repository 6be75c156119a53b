// GraphQL: queries of many shapes, mutations, persisted documents, and subscriptions that come and go.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { changesDocument } from '../../../src/client/changes-document.ts'
import type { SoakClient, Target } from '../client.ts'
import type { Door } from '../load.ts'

const persistedFile = new URL('../../../schema/operations/web.json', import.meta.url)
// Of documents the server keeps 500 (graphql/execute/documents.ts).
const keptDocuments = 600
const create = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
const remove = 'mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }'

export async function graphqlDoors({ url, key }: Target, { ask, graphql }: SoakClient): Promise<Door[]> {
  const persisted = Object.entries(JSON.parse(readFileSync(persistedFile, 'utf8')) as Record<string, string>)
    .filter(([, text]) => /^query (Me|VoiceSettings|RecipesToChoose|CustomFields|WaitingSuggestions|CallAgents)\b/.test(text))
    .map(([hash]) => hash)
  // A document that the server has not seen: what it keeps of documents is bounded, and full from the beginning.
  const unseen = (turn: number) =>
    `{ contacts(first: 10) { nodes { id a${turn}: email calls(first: 3) { nodes { id voiceAgent { name } } } } } }`
  for (let turn = -keptDocuments; turn < 0; turn++) await graphql(unseen(turn).replace('a-', 'b'))
  const queries = async (turn: number) => {
    await graphql(unseen(turn))
    await graphql(
      'query Page($first: Int) { contacts(first: $first) { totalCount nodes { id email timeline(first: 3) { nodes { id } } } } }',
      {
        first: 20,
      },
    )
    const { createContact } = await graphql(create, { input: { email: `${randomUUID()}@soak.example` } })
    await graphql(remove, { id: createContact.id })
    const documentId = `sha256:${persisted[turn % persisted.length]}`
    const { errors } = await ask('POST', '/graphql', { body: { documentId } })
    if (errors) throw new Error(JSON.stringify(errors))
  }

  const live = async () => {
    // A server whose database is away ends its streams, and clients open them again.
    for (let attempt = 1; !(await isTold()); attempt++) if (attempt === 10) throw new Error('ten streams ended before the change came')
  }

  /** Subscribes, causes a change, waits until it comes, and leaves: by closing the connection, as browsers do. */
  const isTold = async (): Promise<boolean> => {
    const leaving = new AbortController()
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: changesDocument('... on Contact { email }') }),
      signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(60_000)]),
    })
    let text = ''
    let id: string | undefined
    try {
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk
        if (id === undefined && text.includes('FOLLOWING')) {
          const { createContact } = await graphql(create, { input: { email: `${randomUUID()}@soak.example` } })
          id = String(createContact.id)
        }
        if (id !== undefined && text.includes(id)) {
          await graphql(remove, { id })
          return true
        }
      }
      if (answer.status !== 200 && answer.status !== 503) throw new Error(`the stream: ${answer.status} ${text.slice(0, 300)}`)
      return false
    } finally {
      leaving.abort()
    }
  }

  return [
    { name: 'GraphQL', everyMs: 400, act: queries },
    { name: 'live', everyMs: 600, act: live },
    { name: 'live too', everyMs: 900, act: live },
  ]
}
