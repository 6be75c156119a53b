// Search over nouns: ranked, as somebody types, and only what the caller may read.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../support/app.ts'

const app = await openApp()

const document = `query ($query: String!, $types: [SearchType!], $first: Int) {
  search(query: $query, types: $types, first: $first) {
    nodes {
      type entityId title rank snippet { text marks { start end } }
      entity { __typename ... on Contact { email } ... on Call { toNumber } ... on VoiceAgent { name } }
    }
  }
}`
const search = async (key: string, query: string, more: Json = {}) =>
  (await app.graphql(document, { query, ...more }, { key })).body.data.search.nodes as Json[]
const titles = (found: Json[]) => found.map(({ title }) => title)
const marked = ({ snippet: { text, marks } }: Json) => marks.map(({ start, end }: Json) => text.slice(start, end))

// No word that is searched for begins like one of them, as a part of a random id might.
let addresses = 0
async function contacts(key: string, ...rows: Json[]): Promise<string[]> {
  const named = rows.map(({ fullName: full_name, companyName: company_name, email, ...others }) => ({
    full_name,
    ...(company_name && { company_name }),
    email: email ?? `k${++addresses}@example.org`,
    ...others,
  }))
  const { body } = await app.rest('POST', '/api/crm/v1/contacts/batch', { body: { contacts: named }, key })
  return body.results.map(({ id }: Json) => id)
}

/** As many contacts, the first of them the newest. `name`: SQL for the name of number n. */
async function named(orgId: string, count: number, name: string): Promise<void> {
  await app.services.database.pool.query(
    `insert into contacts (id, org_id, full_name, search_text, source, created_by_type, created_at)
     select gen_random_uuid(), $1, name, lower(name), 'api', 'system', now() - n * interval '1 minute'
     from generate_series(1, $2::int) n cross join lateral (select ${name} as name) named`,
    [orgId, count],
  )
}

/** A call that was held, with its summary and transcript. */
async function call(key: string, orgId: string, summary: string | null, lines: string[]): Promise<string> {
  const { body } = await app.rest('POST', '/api/voice/v1/agents', { body: { name: 'Grace', provider: 'simulator' }, key })
  const id = uuid()
  const transcript = lines.map((text, index) => ({ seq: index + 1, role: 'user', text, startMs: null, endMs: null }))
  await app.services.database.pool.query(
    `insert into calls (id, org_id, agent_id, agent_version, provider, dispatch_state, status, outcome, ended_at, to_number, summary, max_duration_seconds,
       ring_timeout_seconds, record, voicemail_action, dispatch_after, created_by_type)
     values ($1, $2, $3, 1, 'simulator', 'dispatched', 'completed', 'unknown', now(), '+14155550123', $4, 60, 30, false, 'hang_up', now(), 'system')`,
    [id, orgId, body.id, summary],
  )
  await app.services.database.pool.query('insert into call_transcripts (id, org_id, summary, lines) values ($1, $2, $3, $4)', [
    ...[id, orgId, summary],
    JSON.stringify(transcript),
  ])
  return id
}

describe('search', () => {
  test('finds contacts while a name is typed, from its first letter on, the nearest first', async () => {
    const { key } = await app.given.apiKey()
    await contacts(
      key,
      { fullName: 'Joanna Miller', email: 'joanna@example.com' },
      { fullName: 'Ann Lee', companyName: 'Contoso' },
      { fullName: 'Anna Lee', phone: '+14155550100' },
      { fullName: 'Bob', email: 'bob@example.com' },
    )

    expect(titles(await search(key, 'a')).sort()).toEqual(['Ann Lee', 'Anna Lee'])
    expect(titles(await search(key, 'an')).sort()).toEqual(['Ann Lee', 'Anna Lee'])
    expect(titles(await search(key, 'Ann'))).toEqual(['Ann Lee', 'Anna Lee', 'Joanna Miller'])
    expect(titles(await search(key, 'lee ann'))).toEqual(['Ann Lee', 'Anna Lee'])
    expect(titles(await search(key, 'ann con'))).toEqual(['Ann Lee'])
    expect(titles(await search(key, '+1415555'))).toEqual(['Anna Lee'])
    expect(titles(await search(key, ' '))).toEqual([])
    expect(titles(await search(key, "%_'\\ & | ! :* ("))).toEqual([])
  })

  test('ignores case and accents, and says where the words stand in what people read', async () => {
    const { key } = await app.given.apiKey()
    await contacts(key, { fullName: 'Zoë Müller', email: 'zoe@example.com' })

    const [found, ...others] = await search(key, 'MULL zoë')

    expect(others).toEqual([])
    expect(found).toMatchObject({ type: 'CONTACT', entity: { __typename: 'Contact', email: 'zoe@example.com' } })
    expect(found.snippet.text).toBe('Zoë Müller · zoe@example.com')
    expect(marked(found)).toEqual(['Zoë', 'Müll', 'zoe'])
  })

  test('says where the words stand in a long text with letters that are longer, or nothing, in searches', async () => {
    const { key } = await app.given.apiKey()
    const [id = ''] = await contacts(key, { fullName: 'Ada Lovelace' })
    const text = `${'Straße ﬁel 😀 e\u0301 so\u00adft '.repeat(300)}Und dann: die Größe der Maße. Größe!`
    await app.graphql(
      'mutation ($id: ID!, $text: String!) { createNote(input: { contactId: $id, text: $text }) { id } }',
      { id, text },
      { key },
    )

    const [found] = await search(key, 'grosse masse')

    expect(found.type).toBe('NOTE')
    expect(found.snippet.text).toMatch(/^….* Und dann: die Größe der Maße\. Größe!$/u)
    expect(marked(found)).toEqual(['Größe', 'Maße', 'Größe'])
  })

  test('finds a contact with a misspelt letter', async () => {
    const { key } = await app.given.apiKey()
    await contacts(key, { fullName: 'Peter Johnson' }, { fullName: 'Ada Lovelace' })

    expect(titles(await search(key, 'jonson'))).toEqual(['Peter Johnson'])
    expect(titles(await search(key, 'lovelase'))).toEqual(['Ada Lovelace'])
    expect(titles(await search(key, 'zzzz'))).toEqual([])
  })

  test('finds a contact with two letters exchanged, before one that is less like it', async () => {
    const { key } = await app.given.apiKey()
    await contacts(
      key,
      { fullName: 'Anna Anedrsen' },
      { fullName: 'Peter Anderson' },
      { fullName: 'Mia Quinwood' },
      { fullName: '1024 Ltd' },
    )

    expect(titles(await search(key, 'anedrson'))).toEqual(['Peter Anderson', 'Anna Anedrsen'])
    expect(titles(await search(key, 'mia quniwood'))).toEqual(['Mia Quinwood'])
    expect(titles(await search(key, '1042'))).toEqual(['1024 Ltd'])
    expect(titles(await search(key, 'peter-paul anedrson'))).toEqual([])
  })

  // 40 of the newest 1,000 contacts, and 100 of all.
  test.each(['Ada Navarroson', 'Navarroson Ada'])('finds the nearest of a common name among older contacts too: %s', async name => {
    const { key, orgId } = await app.given.apiKey()
    await named(
      orgId,
      1100,
      `case when n = 1080 then 'Navarro' when n % 25 = 0 and n <= 1000 or n > 1040 then '${name} ' || n else 'Bob ' || n end`,
    )

    const found = titles(await search(key, 'Navarro', { first: 50 }))

    expect(found).toHaveLength(50)
    expect(found[0]).toBe('Navarro')
    expect(found.slice(1).every(title => title.startsWith(name))).toBe(true)
    expect(titles(await search(key, 'Navarro', { first: 10 }))[0]).toBe('Navarro')
  })

  test('takes the part before an @ as the whole query, if an address begins with it', async () => {
    const { key } = await app.given.apiKey()
    await contacts(key, { fullName: 'Lee', email: 'ann.lee@example.com' }, { fullName: 'Jo', email: 'joann.lee@example.com' })

    expect(titles(await search(key, 'ann.lee'))).toEqual(['Lee', 'Jo'])
    expect(titles(await search(key, 'ann.lee@'))).toEqual(['Lee'])
    expect(titles(await search(key, 'nn.lee@')).sort()).toEqual(['Jo', 'Lee'])
  })

  // None of them is among the newest 1,000; about 94 are in the sample.
  test('finds a name that many older contacts have, misspelt and beside other words too', async () => {
    const { key, orgId } = await app.given.apiKey()
    await named(orgId, 7100, `case when n = 7100 then 'Mia Quinwood' when n > 1000 then 'Bob Quinwood ' || n else 'Ada of Many ' || n end`)

    for (const query of ['quinwood', 'quniwood', 'bob qinwood', 'quinwood bob']) {
      const found = titles(await search(key, query, { first: 10 }))
      expect(found).toHaveLength(10)
      expect(found.filter(title => !/^(Bob|Mia) Quinwood/.test(title))).toEqual([])
    }
    expect(titles(await search(key, 'mia quinwood'))).toEqual(['Mia Quinwood'])
    expect(titles(await search(key, 'ada quinwood'))).toEqual([])
  })

  // None of them is among the newest 1,000, and the nearest one is the oldest.
  test('finds those whose name begins with all words before others that have them', async () => {
    const { key, orgId } = await app.given.apiKey()
    await named(
      orgId,
      3000,
      `case when n = 3000 then 'Mia Quin' when n > 2900 then 'Mia Quinwood ' || n when n > 1000 then 'Quinlan Mia ' || n else 'Ada of Many ' || n end`,
    )

    const found = titles(await search(key, 'mia quin', { first: 50 }))

    expect(found[0]).toBe('Mia Quin')
    expect(found).toHaveLength(50)
    expect(found.slice(1).filter(title => !title.startsWith('Mia Quinwood'))).toEqual([])
    expect(titles(await search(key, 'mia quinwood 2950'))).toEqual(['Mia Quinwood 2950'])
  })

  test('finds several words in an organization with most of all contacts, and none of the others', async () => {
    const [large, other] = [await app.given.apiKey(), await app.given.apiKey()]
    for (const { orgId } of [large, other])
      await named(orgId, 20_000, `case when n % 2000 = 0 and n <= 6000 then 'Quinwood-Lee ' || n || ' Mia' else 'Ada of Many ' || n end`)
    await app.services.database.pool.query('analyze contacts')

    for (const { key, orgId } of [large, other]) {
      const found = await search(key, 'mia quinwood')
      expect(titles(found).sort()).toEqual(['Quinwood-Lee 2000 Mia', 'Quinwood-Lee 4000 Mia', 'Quinwood-Lee 6000 Mia'])
      const { rows } = await app.services.database.pool.query('select distinct org_id from contacts where id = any($1)', [
        found.map(({ entityId }) => entityId),
      ])
      expect(rows).toEqual([{ org_id: orgId }])
      expect(titles(await search(key, 'mia quinwood many'))).toEqual([])
      expect(titles(await search(key, 'lee 4000 q'))).toEqual(['Quinwood-Lee 4000 Mia'])
    }
  })

  test('finds calls by their words, with a snippet, and agents by their texts; names come first', async () => {
    const { key, orgId } = await app.given.apiKey()
    const long = `${'well '.repeat(60)}the invoice is för Érnie, invoice 77`
    const id = await call(key, orgId, 'A friendly talk', ['hello', long])
    await app.rest('POST', '/api/voice/v1/agents', {
      body: { name: 'Invoice desk', provider: 'simulator', instructions: 'Speak slowly' },
      key,
    })
    await contacts(key, { fullName: 'Invoice Person' })

    const found = await search(key, 'invoice')
    const [byPrefix] = await search(key, 'ernie inv', { types: ['CALL'] })

    expect(found.map(({ type }) => type)).toEqual(['CONTACT', 'AGENT', 'CALL'])
    expect(byPrefix).toMatchObject({ type: 'CALL', entityId: id, entity: { toNumber: '+14155550123' } })
    expect(byPrefix.snippet.text.length).toBeLessThanOrEqual(162)
    expect(marked(byPrefix)).toEqual(['inv', 'Érnie', 'inv'])
    expect(titles(await search(key, 'friendly'))).toEqual(['+14155550123'])
    expect(titles(await search(key, 'slowl'))).toEqual(['Invoice desk'])
  })

  test('finds notes by their text, under the name of their contact', async () => {
    const { key } = await app.given.apiKey()
    const [id, gone] = await contacts(key, { fullName: 'Ada Lovelace' }, { fullName: 'Deleted' })
    const note = await app.rest('POST', `/api/crm/v1/contacts/${id}/notes`, { body: { text: 'Prefers GREEN tea, not coffee' }, key })
    await app.rest('POST', `/api/crm/v1/contacts/${gone}/notes`, { body: { text: 'Green tea' }, key })
    await app.rest('DELETE', `/api/crm/v1/contacts/${gone}`, { key })

    const found = await search(key, 'green te')

    expect(found.map(({ type, entityId, title }) => ({ type, entityId, title }))).toEqual([
      { type: 'NOTE', entityId: note.body.id, title: 'Ada Lovelace' },
    ])
    expect(marked(found[0])).toEqual(['GREEN', 'te'])
    expect(titles(await search(key, 'green t'))).toEqual(['Ada Lovelace'])
    expect(titles(await search(key, 'green x'))).toEqual([])
    expect(titles(await search(key, 'gre'))).toEqual(['Ada Lovelace'])
  })

  test('takes one or two letters alone for a whole word of a note', async () => {
    const { key } = await app.given.apiKey()
    const [id] = await contacts(key, { fullName: 'Ada Lovelace' })
    await app.rest('POST', `/api/crm/v1/contacts/${id}/notes`, { body: { text: 'Asked about our HP terms' }, key })
    const notes = async (query: string) => titles(await search(key, query, { types: ['NOTE'] }))

    expect([await notes('hp'), await notes('te'), await notes('ter')]).toEqual([['Ada Lovelace'], [], ['Ada Lovelace']])
  })

  test('shows only what the scopes of a credential allow, and nothing of other organizations', async () => {
    const { key, orgId } = await app.given.apiKey()
    await call(key, orgId, 'About Ada', [])
    await contacts(key, { fullName: 'Ada Lovelace' })
    const callsOnly = (await app.given.apiKey({ orgId, scopes: ['calls:read'] })).key
    const nothing = (await app.given.apiKey({ orgId, scopes: ['credits:read'] })).key
    const stranger = (await app.given.apiKey()).key

    const refused = await app.graphql(document, { query: 'ada', types: ['CONTACT', 'CALL'] }, { key: callsOnly })

    expect((await search(key, 'ada')).map(({ type }) => type)).toEqual(['CONTACT', 'CALL'])
    expect((await search(callsOnly, 'ada')).map(({ type }) => type)).toEqual(['CALL'])
    expect(await search(nothing, 'ada')).toEqual([])
    expect(await search(stranger, 'ada')).toEqual([])
    expect(refused.body.errors[0].extensions.code).toBe('FORBIDDEN')
    expect((await app.graphql(document, { query: 'ada' })).body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })

  test('leaves out deleted contacts and archived agents', async () => {
    const { key } = await app.given.apiKey()
    const [gone] = await contacts(key, { fullName: 'Ada Lovelace' })
    await app.rest('DELETE', `/api/crm/v1/contacts/${gone}`, { key })
    const agent = await app.rest('POST', '/api/voice/v1/agents', { body: { name: 'Ada', provider: 'simulator' }, key })
    await app.rest('POST', `/api/voice/v1/agents/${agent.body.id}/archive`, { body: {}, key })

    expect(await search(key, 'ada')).toEqual([])
  })

  test('a contact that many others match as well is found by its whole name', async () => {
    const { key } = await app.given.apiKey()
    await contacts(key, { fullName: 'Common Needle', email: 'needle@example.com' })
    for (let batch = 0; batch < 3; batch++)
      await contacts(key, ...Array.from({ length: 100 }, (_, index) => ({ fullName: `Common ${batch} ${index}` })))

    const [best] = await search(key, 'common', { first: 50 })

    expect(best.title).toMatch(/^Common/)
    expect(titles(await search(key, 'common nee'))).toEqual(['Common Needle'])
    expect(titles(await search(key, 'needle@'))).toEqual(['Common Needle'])
  })

  test('refuses more than 50 results, and more than 200 characters', async () => {
    const { key } = await app.given.apiKey()
    const problem = async (variables: Json) => (await app.graphql(document, variables, { key })).body.errors[0].extensions.problems[0].path

    expect(await problem({ query: 'a', first: 51 })).toEqual(['first'])
    expect(await problem({ query: 'a'.repeat(201) })).toEqual(['query'])
  })
})

describe('GET /api/crm/v1/search', () => {
  test('answers with type, id, title, rank and snippet', async () => {
    const { key } = await app.given.apiKey()
    const [id] = await contacts(key, { fullName: 'Ada Lovelace', email: 'ada@example.com' })
    const snippet = {
      text: 'Ada Lovelace · ada@example.com',
      marks: [
        { start: 0, end: 3 },
        { start: 15, end: 18 },
      ],
    }

    const found = await app.rest('GET', '/api/crm/v1/search?q=ada&type=contact&type=call&limit=5', { key })
    const refused = await app.rest('GET', '/api/crm/v1/search?limit=99', { key })

    expect(found).toMatchObject({
      status: 200,
      body: { data: [{ type: 'contact', id, title: 'Ada Lovelace', rank: expect.any(Number), snippet }] },
    })
    expect(refused.status).toBe(422)
    expect(refused.body.detail.map(({ loc }: Json) => loc.join('.')).sort()).toEqual(['query.limit', 'query.q'])
  })
})
