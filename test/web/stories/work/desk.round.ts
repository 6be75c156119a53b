// What somebody meets at the desk every day: empty forms, moments, guests, the answer rate, and one dialog at a time.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

const create = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'

tell({
  'a contact without a name, an address, a number or a company is refused': async ({ open, person, ask }, look) => {
    const owner = await person()
    const page = await open('/contacts', { as: owner })
    await page.getByRole('button', { name: 'New contact' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New contact' })
    const total = async () =>
      (await ask<{ contacts: { totalCount: number } }>(owner, '{ contacts(first: 1) { totalCount } }')).contacts.totalCount
    const refusal = dialog.getByText('Enter at least a name, an email, a phone number or a company')
    await dialog.getByRole('button', { name: 'Create contact' }).click()
    await refusal.waitFor()
    await look(page, 'empty contact')
    // Spaces are nothing, and the stage, which is always there, says nothing about a person.
    await dialog.getByLabel('Company').fill('   ')
    await dialog.getByRole('button', { name: 'Create contact' }).click()
    await refusal.waitFor()
    assert.equal(await total(), 0)
    await dialog.getByLabel('Company').fill('Acme')
    await dialog.getByRole('button', { name: 'Create contact' }).click()
    await eventually(total, 1)
  },

  'what changed now is never in the future, however wrong the clock of the browser is': async ({ open, person, ask }) => {
    const owner = await person()
    await ask(owner, create, { input: { email: 'grace@example.com' } })
    const page = await open('/contacts', {
      as: owner,
      // Three minutes behind the server.
      prepare: page => page.clock.setSystemTime(Date.now() - 180_000),
    })
    const row = page.getByRole('grid', { name: 'Contacts' }).getByRole('row').filter({ hasText: 'grace@example.com' })
    await row.getByText('now', { exact: true }).waitFor()
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    await ask(
      owner,
      'mutation ($id: ID!, $at: DateTime!) { createTask(input: { contactId: $id, title: "Ring back", dueAt: $at }) { id } }',
      {
        id: (await ask<{ contacts: { nodes: { id: string }[] } }>(owner, '{ contacts(first: 1) { nodes { id } } }')).contacts.nodes[0]?.id,
        at: soon,
      },
    )
    await page.goto(new URL('/tasks?show=open', page.url()).href)
    // What is planned is ahead.
    await page
      .getByText(/^(today|tomorrow), \d/)
      .first()
      .waitFor()
  },

  'a guest meets no error on any page': async ({ open }, look) => {
    const page = await open('/home', { as: 'guest' })
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    const declared = globSync('src/web/*/route.tsx').map(file => /^export const place = \{ to: '([^']+)'/m.exec(readFileSync(file, 'utf8')))
    const inRail = declared.flatMap(found => found?.[1] ?? [])
    expect(inRail.length).toBeGreaterThan(10)
    const places = [
      ...inRail,
      ...['/duplicates', '/imports', '/credits?tab=ledger'],
      ...['?tab=runs', '?tab=events', '?tab=deliveries', '?tab=hooks'].map(tab => `/gateway${tab}`),
      ...['profile', 'organization', 'people', 'fields', 'keys', 'calls', 'webhooks', 'sessions', 'embedding'].map(
        one => `/settings/${one}`,
      ),
    ]
    // Questions without their answers; the stream of changes has none.
    const waiting = new Set<Request>()
    page.on(
      'request',
      request => request.url().endsWith('/graphql') && !request.headers().accept?.includes('event-stream') && waiting.add(request),
    )
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', request => void waiting.delete(request))
    const met: string[] = []
    for (const place of places) {
      await page.goto(new URL(place, page.url()).href)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await eventually(async () => waiting.size, 0)
      for (const text of await page.getByRole('alert').allInnerTexts()) met.push(`${place}: ${text}`)
    }
    expect(met).toEqual([])
    await page.goto(new URL('/gateway', page.url()).href)
    await page.getByText('Assistants, their runs and the hooks that wake them belong to an account').waitFor()
    await look(page, 'gateway of a guest')
  },

  'the answer rate is of the calls that were placed, in percent': async ({ open, person, ask }, look) => {
    const owner = await person({ demo: true })
    // One that is asked for, and not placed before tomorrow.
    await ask(owner, 'mutation ($input: CreateCallInput!) { createCall(input: $input) { id } }', {
      input: {
        voiceAgentId: (
          await ask<{ voiceAgents: { nodes: { id: string }[] } }>(
            owner,
            '{ voiceAgents(first: 1, filter: { statusIn: [ACTIVE] }) { nodes { id } } }',
          )
        ).voiceAgents.nodes[0]?.id,
        toNumber: '+14155550123',
        schedule: { earliestAt: new Date(Date.now() + 86_400_000).toISOString() },
      },
    })
    const { addDashboardWidget } = await ask<{
      addDashboardWidget: {
        data: { answerRate: number; total: number; placedByDay: { value: number }[]; answeredByDay: { value: number }[] }
      }
    }>(
      owner,
      'mutation { addDashboardWidget(input: { kind: ANSWER_RATE, position: 0 }) { data { ... on CallStats { answerRate total placedByDay { value } answeredByDay { value } } } } }',
    )
    const { placedByDay, answeredByDay, total } = addDashboardWidget.data
    const sum = (days: { value: number }[]) => days.reduce((all, { value }) => all + value, 0)
    const placed = sum(placedByDay)
    assert.ok(placed > 0 && placed < total, `${placed} of ${total} placed`)
    const page = await open('/home', { as: owner })
    const widget = page.getByRole('region', { name: 'Answer rate' }).first()
    await widget.getByText(`${Math.round((100 * sum(answeredByDay)) / placed)}%`).waitFor()
    await widget.getByText(`of ${placed} placed calls answered`).first().waitFor()
    await look(page, 'answer rate')
  },

  'one dialog is open at a time': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(owner, create, { input: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' } })
    const page = await open('/contacts', { as: owner })
    const names = () =>
      page
        .getByRole('dialog')
        .filter({ visible: true })
        .evaluateAll(all =>
          all.map(
            one => one.getAttribute('aria-label') ?? document.getElementById(one.getAttribute('aria-labelledby') ?? '')?.textContent ?? '',
          ),
        )
    const holdsFocus = () => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)
    await page.getByRole('grid', { name: 'Contacts' }).getByText('Grace Hopper').click()
    await page.getByRole('dialog').getByText('grace@example.com').first().waitFor()
    // A new one by its key, while the record is open beside the list.
    const cell = page.getByRole('grid', { name: 'Contacts' }).getByRole('row').nth(1).getByRole('gridcell').nth(1)
    await cell.focus()
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New contact' }).getByLabel('First name').waitFor()
    await eventually(names, ['New contact'])
    await eventually(holdsFocus, true)
    await look(page, 'one dialog')
    // A row, beside the form for a new one.
    await page.getByRole('grid', { name: 'Contacts' }).getByText('Grace Hopper').click()
    await page.getByRole('dialog', { name: 'New contact' }).waitFor({ state: 'detached' })
    await eventually(async () => (await names()).length, 1)
    await cell.focus()
    await page.keyboard.press('c')
    await eventually(names, ['New contact'])
    // The palette above it has the focus alone, and the form has it again afterwards.
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('textbox').or(page.getByRole('combobox')).first().waitFor()
    await eventually(holdsFocus, true)
  },

  'today ends at the first moment of tomorrow, also where clocks change at midnight': async ({ open, person }) => {
    const owner = await person()
    const days = [
      // From 0:00 to 1:00.
      ['America/Santiago', '2026-09-05', '2026-09-06T04:00:00.000Z'],
      ['Africa/Cairo', '2026-04-23', '2026-04-23T22:00:00.000Z'],
      ['America/Havana', '2026-03-07', '2026-03-08T05:00:00.000Z'],
      // From 1:00 back to 0:00.
      ['America/Havana', '2026-10-31', '2026-11-01T04:00:00.000Z'],
      ['Europe/Berlin', '2026-10-24', '2026-10-24T22:00:00.000Z'],
    ]
    const asked: unknown[] = []
    for (const [timezoneId = '', day] of days) {
      let until: string | undefined
      const prepare = async (page: Page) => {
        await page.clock.setSystemTime(new Date(`${day}T16:00:00Z`))
        page.on('request', request => {
          until ??= (request.postDataJSON() as { variables?: { filter?: { dueUntil?: string } } } | null)?.variables?.filter?.dueUntil
        })
      }
      await open('/tasks?show=due', { as: owner, timezoneId, prepare })
      await eventually(async () => until !== undefined, true)
      asked.push([timezoneId, day, until])
    }
    expect(asked).toEqual(days)
  },

  'a view on a field that is gone says so, and can do without it': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(owner, create, { input: { firstName: 'Grace', lastName: 'Hopper' } })
    const { createCustomField: field } = await ask<{ createCustomField: { id: string } }>(
      owner,
      'mutation { createCustomField(input: { key: "shoe_size", label: "Shoe size", type: NUMBER }) { id } }',
    )
    const view = async (name: string, filter: object, columns: string[]) =>
      (
        await ask<{ createSavedView: { id: string } }>(
          owner,
          'mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { id } }',
          { input: { noun: 'CONTACTS', name, filter, columns } },
        )
      ).createSavedView.id
    const large = await view('Large shoes', { custom: [{ key: 'shoe_size', min: 45 }] }, [])
    await view('With shoes', {}, ['fullName', 'custom.shoe_size'])
    await view('By address', { email: 'nobody@example.com' }, [])
    await ask(owner, 'mutation ($id: ID!) { deleteCustomField(input: { id: $id }) { id } }', { id: field.id })
    const page = await open('/contacts', { as: owner })
    const choose = async (from: string, name: string) => {
      await page.getByRole('button', { name: from }).first().click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('All contacts', 'Large shoes')
    await page.getByText('The view "Large shoes" filters by "Shoe size", which no longer exists, so nothing matches.').waitFor()
    await look(page, 'view on a field that is gone')
    await page.getByRole('button', { name: 'Remove it from the view' }).click()
    await page.getByRole('grid', { name: 'Contacts' }).getByText('Grace Hopper').waitFor()
    await page.getByText('no longer exists').waitFor({ state: 'detached' })
    const read = 'query ($id: ID!) { savedView(id: $id) { filter } }'
    await eventually(async () => (await ask<{ savedView: { filter: object } }>(owner, read, { id: large })).savedView.filter, {})
    await choose('Large shoes', 'With shoes')
    await page.getByText('The view "With shoes" has a column of "Shoe size", which is a deleted field.').waitFor()
    await choose('With shoes', 'By address')
    await page.getByText('The view "By address" also filters by "Email", which only the API can').waitFor()
    await page.goto(new URL('/contacts?custom=shoe_size~min~45', page.url()).href)
    await page.getByText('The address filters by "Shoe size", which no longer exists, so nothing matches.').waitFor()
    await page.getByRole('button', { name: 'Show without it' }).click()
    await page.getByRole('grid', { name: 'Contacts' }).getByText('Grace Hopper').waitFor()
  },

  'a company is found by a part of its name, and so are a domain and a city': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(owner, create, {
      input: { firstName: 'Grace', companyName: 'Acme GmbH', companyDomain: 'mail.acme.example', city: 'München' },
    })
    await ask(owner, create, { input: { firstName: 'Ada', companyName: 'Navy' } })
    const page = await open('/contacts?company=acme', { as: owner })
    const grid = page.getByRole('grid', { name: 'Contacts' })
    const only = async () => {
      await grid.getByText('Grace').waitFor()
      assert.equal(await grid.getByText('Ada', { exact: true }).count(), 0)
    }
    await only()
    await page
      .getByRole('button', { name: /^Company/ })
      .first()
      .click()
    await page.getByText('A part is enough').waitFor()
    await look(page, 'filter by a part of a company')
    for (const [name, value] of [
      ['domain', 'ACME'],
      ['city', 'munchen'],
      ['company', 'e g'],
    ] as const) {
      await page.goto(new URL(`/contacts?${name}=${encodeURIComponent(value)}`, page.url()).href)
      await only()
    }
  },
})
