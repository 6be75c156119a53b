// A notification of the browser itself, for a person whose tab is in the background.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

interface Shown {
  title: string
  body: string | undefined
  isClosed: boolean
}

interface Recording {
  shown: (Shown & { click(): void })[]
  hideTab(isHidden: boolean): void
}

/**
 * Keeps what a person sees and may click: the notices with their title and text, until the page closes them. Chromium without windows
 * (headless-shell) denies notifications in spite of the permission: there the page is told that it has it, and the browser draws none.
 */
const recorded = async (page: Page) => {
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript(() => {
    const shown: Recording['shown'] = []
    const Browsers = window.Notification
    Object.assign(window, {
      shown,
      Notification: class extends Browsers {
        static override get permission(): NotificationPermission {
          return 'granted'
        }
        static override async requestPermission(): Promise<NotificationPermission> {
          return 'granted'
        }
        readonly #record: Recording['shown'][number]
        constructor(title: string, options?: NotificationOptions) {
          super(title, options)
          this.#record = { title: this.title, body: options?.body, isClosed: false, click: () => this.dispatchEvent(new Event('click')) }
          shown.push(this.#record)
        }
        override close(): void {
          this.#record.isClosed = true
          super.close()
        }
      },
    })
    const state = { isHidden: false }
    Object.assign(window, { hideTab: (isHidden: boolean) => (state.isHidden = isHidden) })
    Object.defineProperty(document, 'visibilityState', { get: () => (state.isHidden ? 'hidden' : 'visible') })
  })
}

const recording = <Value>(page: Page, read: (recording: Recording) => Value): Promise<Value> =>
  page.evaluate(`(${read})(window)`) as Promise<Value>

const shown = (page: Page) => recording(page, one => one.shown.map(({ title, body, isClosed }): Shown => ({ title, body, isClosed })))

tell({
  'a tab in the background shows what comes into the inbox by the browser, and a click on it opens it': async ({ open, person, ask }) => {
    const [ada, grace] = [await person({ demo: true }), await person({ demo: true })]
    const { createContact: contact } = await ask<{ createContact: { id: string } }>(
      ada,
      'mutation { createContact(input: { firstName: "Alan", lastName: "Turing" }) { id } }',
    )
    const page = await open('/inbox', { as: grace, prepare: recorded })
    assert.equal(await page.evaluate(() => Notification.permission), 'granted')
    await page.getByLabel('Notify me in this browser').check({ force: true })
    const assign = (title: string) =>
      ask(ada, 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }', {
        input: { contactId: contact.id, title, assigneeUserId: grace.userId },
      })
    // A page tells what happens while its stream of changes is open.
    const following = page.waitForResponse(response => /event-stream/.test(response.headers()['content-type'] ?? ''))
    await page.goto(new URL('/contacts', page.url()).href)
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    await following
    // Somebody who looks at the page sees it there.
    await assign('Seen in the page')
    await page.getByRole('alert').filter({ hasText: 'Seen in the page' }).waitFor()
    assert.deepEqual(await shown(page), [])

    await recording(page, one => one.hideTab(true))
    await assign('Call Alan')
    const sentence = 'Ada Lovelace gave you the task “Call Alan”'
    await eventually(() => shown(page), [{ title: 'Rolocom', body: sentence, isClosed: false }])

    // A click leads to the task, and the notice is gone.
    await recording(page, one => one.shown[0]?.click())
    await page.getByRole('dialog', { name: 'Task' }).waitFor()
    assert.equal(await page.getByRole('dialog', { name: 'Task' }).getByLabel('Title').inputValue(), 'Call Alan')
    assert.deepEqual(await shown(page), [{ title: 'Rolocom', body: sentence, isClosed: true }])
    // The page that somebody looks at has said nothing by the browser.
    await recording(page, one => one.hideTab(false))
    await assign('Seen again')
    await page.getByRole('alert').filter({ hasText: 'Seen again' }).waitFor()
    assert.equal((await shown(page)).length, 1)
  },
})
