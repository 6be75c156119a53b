// The inbox between two people: one mentions the other, who is told at once, reads it, snoozes it, and is done with it.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { tell } from '../../support/story.ts'

tell({
  'one person mentions another, who is told, opens the note, snoozes the item and finishes it': async ({ open, person, ask }, look) => {
    const [ada, grace] = [await person({ demo: true }), await person({ demo: true })]
    await ask(grace, 'mutation { updateProfile(input: { name: "Grace Hopper" }) { id } }')
    const { createContact: contact } = await ask<{ createContact: { id: string } }>(
      ada,
      'mutation { createContact(input: { firstName: "Alan", lastName: "Turing" }) { id } }',
    )
    const inbox = await open('/inbox', { as: grace })
    await inbox.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
    await inbox.getByText('Nothing waits for you.').waitFor()
    await look(inbox, 'inbox empty')

    const writing = await open(`/contacts/${contact.id}?tab=notes`, { as: ada })
    const note = writing.getByLabel('Note', { exact: true })
    await note.pressSequentially('Can you take this over, @grace')
    await writing.getByRole('option', { name: 'Grace Hopper' }).waitFor()
    await look(writing, 'mention to choose', ['light'])
    // The text keeps the focus: letters are not keys of the page.
    await writing.keyboard.press('Enter')
    await writing.getByRole('listbox').waitFor({ state: 'detached' })
    await writing.keyboard.type('please?')
    assert.equal(await note.inputValue(), 'Can you take this over, @Grace Hopper please?')
    await writing.getByRole('button', { name: 'Add note' }).click()

    const sentence = `${ada.name} mentioned you in a note about Alan Turing`
    const item = inbox.getByRole('listitem').filter({ hasText: sentence })
    await item.waitFor()
    // The toast, and the count beside the place.
    await inbox.getByRole('alert').filter({ hasText: sentence }).waitFor()
    await inbox.getByRole('link', { name: /^Inbox.*1 open/ }).waitFor()
    await look(inbox, 'inbox with a mention')

    await item.getByRole('button', { name: 'Snooze' }).click()
    await inbox.getByRole('menuitem', { name: /^Tomorrow morning/ }).click()
    await inbox.getByText('Nothing waits for you.').waitFor()
    await inbox.getByRole('button', { name: 'Undo' }).click()
    await item.getByRole('link', { name: sentence }).focus()
    await inbox.keyboard.press('e')
    await inbox.getByText('Nothing waits for you.').waitFor()
    await inbox.getByText('Done', { exact: true }).first().click()
    await item.getByRole('link', { name: sentence }).click()
    await inbox.waitForURL(`**/contacts/${contact.id}?tab=notes`)
    await inbox.getByText('Can you take this over').first().waitFor()
    assert.deepEqual(await ask(grace, '{ inboxCount }'), { inboxCount: 0 })
  },

  'notifications of the browser are chosen by a switch, and stay chosen': async ({ open, person }, look) => {
    // A headless browser has no notifications: one that asks, and is answered with yes.
    const prepare = async (page: Page) => {
      await page.addInitScript(() => {
        const permission = { value: localStorage.getItem('asked') ? 'granted' : 'default' }
        Object.defineProperty(Notification, 'permission', { get: () => permission.value })
        Notification.requestPermission = async () => {
          localStorage.setItem('asked', 'yes')
          permission.value = 'granted'
          return 'granted'
        }
      })
    }
    const page = await open('/inbox', { as: await person(), prepare })
    const choice = page.getByLabel('Notify me in this browser')
    assert.equal(await choice.isChecked(), false)
    await choice.check({ force: true })
    await page.reload()
    await choice.waitFor()
    assert.equal(await choice.isChecked(), true)
    await look(page, 'inbox with notifications', ['light'])
  },

  'a guest sees whose an inbox is, without an error': async ({ open }, look) => {
    const page = await open('/inbox', { as: 'guest' })
    await page.getByText('An inbox belongs to a person.').waitFor()
    await look(page, 'inbox of a guest')
  },

  'a person chooses how to learn of each kind of items, and pop-ups follow': async ({ open, person, ask }, look) => {
    const [ada, grace] = [await person({ demo: true }), await person({ demo: true })]
    await ask(grace, 'mutation { updateProfile(input: { name: "Grace Choosing" }) { id } }')
    const { createContact: contact } = await ask<{ createContact: { id: string } }>(
      ada,
      'mutation { createContact(input: { firstName: "Alan", lastName: "Turing" }) { id } }',
    )
    const page = await open('/inbox', { as: grace })
    await page.getByRole('link', { name: 'Choose notifications' }).click()
    await page.getByRole('heading', { name: 'Settings · Notifications' }).waitFor()
    const popUp = page.getByLabel('Pop-up: A note mentions you')
    await popUp.waitFor()
    assert.equal(await popUp.isChecked(), true)
    // This installation has no mail server, and says so.
    await page.getByText('This installation sends no email.').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Email: A note mentions you' }).isDisabled(), true)
    await look(page, 'settings of notifications')
    // Two clicks, one after the other: both are kept.
    await popUp.uncheck()
    await page.getByLabel('Browser: A note mentions you').uncheck()
    await page.reload()
    await popUp.waitFor()
    assert.deepEqual([await popUp.isChecked(), await page.getByLabel('Inbox: A note mentions you').isChecked()], [false, true])

    const text = 'Please look, @Grace Choosing'
    await ask(ada, `mutation { createNote(input: { contactId: "${contact.id}", text: "${text}" }) { id } }`)
    await page.getByRole('link', { name: /^Inbox.*1 open/ }).waitFor()
    assert.equal(await page.getByRole('alert').filter({ hasText: 'mentioned you' }).count(), 0)
  },
})
