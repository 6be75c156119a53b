// The app in German: the choice is kept with the account, and the screens of every day have German words, dates and numbers.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Fixture, Person } from '../../support/fixture.ts'
import { tell } from '../../support/story.ts'
import { textsOf } from '../../support/unread.ts'
import { walkOn } from '../../support/walk.ts'

// Words of English sentences that no German one has.
const english =
  /\b(?:the|of|and|with|your|you|to|for|is|are|not|no|from|by|this|that|new|add|all|more|open|show|without|yet|here|when|due|today|tomorrow|save|search|filters|settings|contacts?|tasks?|calls?|notes?|companies|company|stage|owner|email|phone|city|country|sort|columns?|views?|done|delete|edit|change|choose|created|people|home|inbox)\b/i

/** A contact with a task, a date and a number. All their words are German, so English ones are of the app. */
async function givenContact({ ask }: Fixture, owner: Person): Promise<string> {
  const field = 'mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { id } }'
  await ask(owner, field, { input: { key: 'seats', label: 'Plätze', type: 'NUMBER' } })
  await ask(owner, field, { input: { key: 'start', label: 'Beginn', type: 'DATE' } })
  const { createContact } = await ask<{ createContact: { id: string } }>(
    owner,
    'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }',
    { input: { fullName: 'Greta Paulus', lifecycleStage: 'LEAD', custom: { seats: 12_345, start: '2026-03-14' } } },
  )
  const task = { contactId: createContact.id, title: 'Ballon bestellen', dueAt: '2027-05-04T10:00:00Z' }
  await ask(owner, 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }', { input: task })
  return createContact.id
}

const isIn = (page: Page, language: string) => page.waitForFunction(one => document.documentElement.lang === one, language)

tell({
  'the chosen language is kept with the account: another browser has it, and the choice there comes back': async ({ open, person }) => {
    const owner = await person()
    const page = await open('/settings', { as: owner })
    await isIn(page, 'en')
    await page.getByText('Deutsch', { exact: true }).click()
    await isIn(page, 'de')
    await page.getByText('Sprache', { exact: true }).waitFor()

    const other = await open('/contacts', { as: owner, locale: 'en-US' })
    await other.getByRole('heading', { name: 'Kontakte' }).waitFor()
    await isIn(other, 'de')
    await other.goto(new URL('/settings', other.url()).href)
    await other.getByText('English', { exact: true }).click()
    await isIn(other, 'en')

    await page.reload()
    await isIn(page, 'en')
    await page.getByText('Language', { exact: true }).waitFor()

    const stranger = await open('/contacts', { as: await person() })
    await stranger.getByRole('heading', { name: 'Contacts' }).waitFor()
    await isIn(stranger, 'en')
  },

  'contacts, a record, tasks, home and the inbox are German, with German dates and numbers': async (fixture, look) => {
    const owner = await fixture.person()
    const id = await givenContact(fixture, owner)
    await fixture.ask(owner, 'mutation { updatePreferences(input: { language: DE, timezone: "Europe/Berlin" }) { language } }')
    const page = await fixture.open('/home', { as: owner, locale: 'de-DE' })
    await isIn(page, 'de')
    const walk = walkOn(page, 'German')
    const expected: readonly (readonly [address: string, name: string, texts: readonly string[]])[] = [
      ['/home', 'home', ['in den letzten 30 Tagen', '100\u00a0%', 'Einstellungen']],
      ['/contacts', 'contacts', ['Kontakte', 'Greta Paulus', 'Phase', 'Geändert']],
      [`/contacts/${id}`, 'record', ['14.03.2026', 'Fällig: 4. Mai', 'hat diesen Kontakt angelegt']],
      ['/tasks', 'tasks', ['Aufgaben', 'erledigt die Zeile im Fokus']],
      ['/inbox', 'inbox', ['Posteingang', 'Zurückgestellt']],
    ]
    const left: string[] = []
    for (const [address, name, texts] of expected) {
      await walk.read(address)
      const shown = await textsOf(page)
      await look(page, `${name} in German`)
      for (const text of texts)
        assert.ok(
          shown.some(one => one.text.includes(text)),
          `${address} shows ${text}`,
        )
      left.push(...shown.filter(({ text }) => english.test(text)).map(({ text, place }) => `${address}, ${place}: ${text}`))
    }
    assert.deepEqual([...new Set(left)], [])
  },
})
