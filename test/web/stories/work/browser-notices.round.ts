// A notification of the browser itself, for a person whose tab is in the background.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

/**
 * Keeps what the page shows, beside showing it. Chromium without windows (headless-shell) has no notifications, and denies them in spite of the
 * permission: there the page is told that it has it, and the browser drops what is shown.
 */
const recorded = async (page: Page) => {
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript(() => {
    const shown: { title: string; body: string | undefined; notice: Notification }[] = []
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
        constructor(title: string, options?: NotificationOptions) {
          super(title, options)
          shown.push({ title, body: options?.body, notice: this })
        }
      },
    })
    const state = { isHidden: false }
    Object.assign(window, { hideTab: (isHidden: boolean) => (state.isHidden = isHidden) })
    Object.defineProperty(document, 'visibilityState', { get: () => (state.isHidden ? 'hidden' : 'visible') })
  })
}

const shown = (page: Page) =>
  page.evaluate(() => (window as never as { shown: { title: string; body: string }[] }).shown.map(({ title, body }) => ({ title, body })))

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
    await page.goto(new URL('/contacts', page.url()).href)
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    // Somebody who looks at the page sees it there.
    await assign('Seen in the page')
    await page.getByRole('alert').filter({ hasText: 'Seen in the page' }).waitFor()
    assert.deepEqual(await shown(page), [])

    await page.evaluate(() => (window as never as { hideTab(isHidden: boolean): void }).hideTab(true))
    await assign('Call Alan')
    await eventually(async () => (await shown(page)).length, 1)
    const [notice] = await shown(page)
    assert.equal(notice?.title, 'Rolocom')
    assert.match(notice?.body ?? '', /Call Alan/)
    await page.evaluate(() => (window as never as { shown: { notice: Notification }[] }).shown[0]?.notice.dispatchEvent(new Event('click')))
    await page.waitForURL('**/inbox')
  },
})
