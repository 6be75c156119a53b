// Edits that the server refuses: the editor stays open with the typed text, and says why.

import assert from 'node:assert/strict'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

tell({
  'a refusal of the server stands in the open editor with the typed text, and in a notice where the editor was left': async (
    { open, person, ask, server },
    look,
  ) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(
      owner,
      'mutation { createContact(input: { fullName: "Grace Hopper" }) { id } }',
    )
    const { id } = grace
    const page = await open(`/contacts/${id}`, { as: owner })
    const refusals = [
      ['Phone', '202-555-0142 x5', 'It is not a telephone number. Write it as +14155550123.'],
      ['Email', 'nobody', 'It is not a valid email address'],
    ] as const
    for (const [label, text, sentence] of refusals) {
      const field = page.getByRole('textbox', { name: label })
      const notices = page.getByRole('alert').filter({ hasText: `${label} was not changed` })
      await page.getByRole('button', { name: `Edit ${label}` }).click()
      await field.fill(text)
      await page.keyboard.press('Enter')
      await page.getByRole('paragraph').filter({ hasText: sentence }).waitFor()
      assert.equal(await field.inputValue(), text)
      assert.equal(await field.evaluate(input => input === document.activeElement), true)
      if (label === 'Phone') await look(page, 'number refused by the server')
      await page.getByRole('heading').first().click()
      await field.waitFor({ state: 'detached' })

      await page.getByRole('button', { name: `Edit ${label}` }).click()
      await field.fill(text)
      await page.getByRole('heading').first().click()
      await notices.getByText(`You typed "${text}".`).waitFor()
      // What was refused in the editor is not sent again when it is left.
      assert.equal(await notices.count(), 1)
    }
    // Corrected in its place.
    await page.getByRole('button', { name: 'Edit Email' }).click()
    const email = page.getByRole('textbox', { name: 'Email' })
    await email.fill('grace@')
    await page.keyboard.press('Enter')
    await page.getByRole('paragraph').filter({ hasText: 'It is not a valid email address' }).waitFor()
    await email.pressSequentially('example.com')
    await page.keyboard.press('Enter')
    await email.waitFor({ state: 'detached' })
    const saved = async () =>
      (await ask<{ contact: { email: string } }>(owner, 'query ($id: ID!) { contact(id: $id) { email } }', { id })).contact.email
    await eventually(saved, 'grace@example.com')

    // In a cell of the list, with a way to the contact that has the address.
    await ask(owner, 'mutation { createContact(input: { fullName: "Alan Turing", email: "alan@example.com" }) { id } }')
    await page.goto(`${server().url}/contacts`)
    await page.locator('td', { hasText: /^grace@example.com$/ }).dblclick()
    await email.fill('alan@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByRole('link', { name: 'Open the existing one' }).waitFor()
    assert.equal(await email.inputValue(), 'alan@example.com')
    await look(page, 'address refused in a cell')
    await page.keyboard.press('Escape')
    await page.locator('td', { hasText: /^grace@example.com$/ }).waitFor()
  },
})
