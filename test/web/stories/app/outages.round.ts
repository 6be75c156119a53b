// Ten seconds without a server, while somebody works: the page says so, keeps what is typed, and goes on by itself.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

const outageMs = 10_000
const away = 'The server cannot be reached.'

tell({
  'somebody who edits during an outage of ten seconds loses nothing, and goes on': async (fixture, look) => {
    const { open, person, ask, restart, expects } = fixture
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(
      owner,
      'mutation { createContact(input: { fullName: "Grace Hopper", companyName: "Navy", jobTitle: "Lieutenant" }) { id } }',
    )
    const page = await open(`/contacts/${grace.id}`, { as: owner })
    const beside = await open(`/contacts/${grace.id}?tab=notes`, { as: owner })
    const list = await open('/contacts', { as: owner })
    for (const one of [page, beside, list]) expects(one, /ERR_|Failed to load|network error/i)
    await page.getByRole('button', { name: 'Edit Job title' }).click()
    const title = page.getByRole('textbox', { name: 'Job title' })
    await title.fill('Rear')
    // What was typed into a closed editor stands in the notice, until it is written.
    const notWritten = page.getByRole('alert').filter({ hasText: 'Job title was not changed' })
    const note = beside.getByLabel('Note', { exact: true })
    await note.fill('She was on')

    await list.getByText('Grace Hopper').waitFor()
    await list.getByRole('button', { name: 'New contact' }).click()
    const making = list.getByRole('dialog', { name: 'New contact' })
    await making.getByLabel('Company').fill('Half typed')

    await restart({
      kill: true,
      async meanwhile() {
        const began = performance.now()
        for (const one of [page, beside, list]) await one.getByText(away, { exact: false }).waitFor()
        // Both go on typing, and one writes.
        await title.fill('Rear admiral')
        await title.press('Enter')
        await notWritten.waitFor()
        await note.press('End')
        await note.pressSequentially(' the phone')
        // Asked for while nobody answers, and answered without another click.
        await list.getByRole('textbox', { name: 'Search contacts' }).fill('Hopper')
        await list.getByRole('main').getByRole('alert').waitFor()
        await look(page, 'edited during an outage')
        await sleep(Math.max(0, outageMs - (performance.now() - began)))
        await notWritten.getByText('You typed "Rear admiral".').waitFor()
      },
    })
    const back = performance.now()
    await list.getByText('Grace Hopper').waitFor()
    for (const one of [page, beside, list]) await one.getByText(away, { exact: false }).waitFor({ state: 'detached' })
    const waited = performance.now() - back
    assert.ok(waited < 5000, `${waited} ms until the pages are as before`)
    assert.equal(await making.getByLabel('Company').inputValue(), 'Half typed')
    await making.getByRole('button', { name: 'Create contact' }).click()
    await making.waitFor({ state: 'detached' })
    assert.equal(await note.inputValue(), 'She was on the phone')
    const titleNow = async () =>
      (await ask<{ contact: { jobTitle: string } }>(owner, 'query ($id: ID!) { contact(id: $id) { jobTitle } }', { id: grace.id })).contact
        .jobTitle
    assert.equal(await titleNow(), 'Lieutenant')
    await notWritten.getByRole('button', { name: 'Try again' }).click()
    await eventually(titleNow, 'Rear admiral')
    await beside.getByRole('button', { name: 'Add note' }).click()
    await beside.getByText('She was on the phone').waitFor()
    // Changes of others arrive again, without a reload.
    await page.getByText('Rear admiral').first().waitFor()
    await beside.getByText('Rear admiral').first().waitFor()
  },
})
