// Every screen reads as sentences for people: with demo data, empty, and with each kind of error. Pages for developers are left out, by their
// routes. SHORT=1 shows each error on some screens, not on all.

import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Fixture, Person } from '../../support/fixture.ts'
import { addressesOfApp } from '../../support/routes.ts'
import { tell } from '../../support/story.ts'
import { problemOf } from '../../support/unread.ts'
import { walkOn } from '../../support/walk.ts'

const isShort = process.env.SHORT === '1'

// Pages that walk at once: each waits most of the time, until nothing more comes.
const pagesAtOnce = 3

/** Divides the items among the pages: each page takes the next one when it has finished one. `page`: its number. */
async function divide<Item>(items: readonly Item[], work: (item: Item, page: number) => Promise<void>): Promise<void> {
  const rest = items.values()
  const workOn = async (page: number) => {
    for (const item of rest) await work(item, page)
  }
  await Promise.all(Array.from({ length: pagesAtOnce }, (_, page) => workOn(page)))
}

/** The id of an object that each parameter of an address can name. */
const objects: Readonly<Record<string, string>> = {
  $contactId: 'contacts(first: 1) { nodes { id } }',
  $companyId: 'companies(first: 1) { nodes { id } }',
  $dealId: 'deals(first: 1) { nodes { id } }',
  $callId: 'calls(first: 1) { nodes { id } }',
  $agentId: 'voiceAgents(first: 1) { nodes { id } }',
  $importId: 'contactImports(first: 1) { nodes { id } }',
}

// Panels and tabs, which have the address of their screen.
const states: Readonly<Record<string, readonly string[]>> = {
  '/contacts': ['?open=$contactId', '?stage=["LEAD"]&deleted=true'],
  '/companies': ['?new=true', '?deleted=true'],
  '/companies/$companyId': ['?tab=timeline'],
  '/deals': ['?new=true', '?deleted=true'],
  '/deals/$dealId': ['?tab=timeline', '?tab=people'],
  '/contacts/$contactId': ['?tab=timeline', '?tab=notes', '?tab=tasks', '?tab=calls'],
  '/calls': ['?place=true', '?status=["NO_ANSWER"]'],
  '/agents': ['?new=true'],
  '/gateway': ['?tab=runs', '?tab=events', '?tab=deliveries', '?tab=hooks'],
}

/** Addresses with the ids of the person's objects. A kind of object that the organization does not have gets an id of nothing. */
async function addressesFor({ ask }: Pick<Fixture, 'ask'>, person: Person): Promise<string[]> {
  const ids = new Map<string, string>()
  for (const [parameter, query] of Object.entries(objects)) {
    const answer = await ask<Record<string, { nodes: { id: string }[] }>>(person, `{ ${query} }`)
    ids.set(parameter, Object.values(answer)[0]?.nodes[0]?.id ?? randomUUID())
  }
  const addresses = (await addressesOfApp()).filter(({ isForDevelopers }) => !isForDevelopers)
  return addresses.flatMap(({ path }) =>
    [path, ...(states[path] ?? []).map(state => path + state)].map(address =>
      address.replaceAll(/\$\w+/g, parameter => {
        const id = ids.get(parameter)
        if (id === undefined) throw new Error(`${path} has a parameter that this story does not know: ${parameter}`)
        return id
      }),
    ),
  )
}

// The server's sentences have everything that a page may not show.
const hostile =
  'Field `ownerUserId` of {"id":"01a1fb24-cc37-73f0-a612-214b2776a9d9"} must match /^[a-z_]+$/, not NO_ANSWER at 2026-11-20T22:47:35Z'
const kinds: readonly (readonly [kind: string, status: number, code: string])[] = [
  ['no network', 0, ''],
  ['401', 401, 'UNAUTHENTICATED'],
  ['403', 403, 'FORBIDDEN'],
  ['404', 404, 'NOT_FOUND'],
  ['409', 409, 'CONFLICT'],
  ['422', 422, 'INVALID'],
  ['429', 429, 'RATE_LIMITED'],
  ['500', 500, 'INTERNAL'],
  ['503', 503, 'UNAVAILABLE'],
]

/** Answers questions with the failure, except for who asks. */
async function fail(page: Page, status: number, code: string): Promise<void> {
  const problems = [
    { path: ['input', 'lifecycleStage'], type: 'string_pattern_mismatch', message: hostile, context: { pattern: '^[a-z_]+$' } },
  ]
  const extensions = {
    code,
    status,
    requestId: randomUUID(),
    ...(status === 422 && { problems }),
    ...(status === 429 && { retryAfter: 30 }),
  }
  const errors = [{ message: hostile, extensions }]
  await page.route('**/graphql', async route => {
    const isStream = route.request().headers().accept?.includes('event-stream')
    if (status === 0) return route.abort()
    if (isStream) return route.continue()
    return route.fulfill({
      status: status === 401 ? 401 : 200,
      contentType: 'application/json',
      body: JSON.stringify({ data: null, errors }),
    })
  })
}

tell({
  'every screen reads as sentences, with demo data': async ({ open, person, ask }) => {
    const owner = await person({ demo: true })
    const walks = await Promise.all(Array.from({ length: pagesAtOnce }, async () => walkOn(await open('/home', { as: owner }), 'demo')))
    const found: string[] = []
    await divide(await addressesFor({ ask }, owner), async (address, page) => {
      found.push(...((await walks[page]?.read(address)) ?? []))
    })
    expect(found).toEqual([])
  },

  'every screen reads as sentences, in an empty organization': async ({ open, person, ask, expects }) => {
    const owner = await person()
    const walks = await Promise.all(
      Array.from({ length: pagesAtOnce }, async () => {
        const page = await open('/home', { as: owner })
        expects(page, /404/)
        return walkOn(page, 'empty')
      }),
    )
    const found: string[] = []
    const all = await addressesFor({ ask }, owner)
    await divide(isShort ? all.filter(one => !one.includes('?')) : all, async (address, page) => {
      found.push(...((await walks[page]?.read(address)) ?? []))
    })
    expect(found).toEqual([])
  },

  'every screen says each kind of error in a sentence': async ({ open, person, ask, expects }) => {
    const owner = await person({ demo: true })
    const all = await addressesFor({ ask }, owner)
    const found: string[] = []
    await divide([...kinds.entries()], async ([index, [kind, status, code]]) => {
      const page = await open('/settings', { as: owner })
      expects(page, /./)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await fail(page, status, code)
      const walk = walkOn(page, kind)
      // A short round shows each error on other screens.
      const shown = isShort ? all.filter((_address, place) => place % (2 * kinds.length) === index) : all
      for (const address of shown) found.push(...(await walk.read(address)))
      await page.close()
    })
    expect(found).toEqual([])
  },

  'a text of a program is found': async () => {
    const texts = ['must match ^[a-z]+$', 'lifecycle_stage', 'ownerUserId is set', 'NO_ANSWER', 'QUEUED', '2026-12-03T14:05:00Z']
    const more = ['01a1fb24-cc37-73f0-a612-214b2776a9d9', 'options: {"a":1}', 'Called undefined times', '[object Object]']
    expect([...texts, ...more].filter(text => problemOf(text) === null)).toEqual([])
    const plain = [
      'No answer after 30 s. Try again.',
      'ada_lovelace@example.com',
      'https://example.com/a_b',
      'Imported by Ada (CRM, B2B)',
      'iPhone',
    ]
    expect(plain.filter(text => problemOf(text) !== null)).toEqual([])
  },
})
