// Settings: people, keys, sessions.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

tell({
  'a key is made, shown once, revoked, and refused': async ({ open, person, server }, look) => {
    const page = await open('/settings/keys', { as: await person() })
    await look(page, 'no keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText(/Enter a purpose/).waitFor()
    await page.getByLabel('Purpose').fill('Nightly import')
    await page.getByText('Only these permissions').click()
    await page.getByLabel('Read contacts').check()
    await look(page, 'new key')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = (await page.getByRole('region', { name: 'The key' }).textContent()) ?? ''
    await look(page, 'key shown once')
    const read = () => fetch(`${server().url}/api/crm/v1/contacts`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal((await read()).status, 200)

    // The code of dialogs may load late: a question asked before is not lost.
    const late = Promise.withResolvers<void>()
    const asked = page.waitForRequest(/\/overlays-[^/]*\.js$/)
    await page.route(/\/overlays-[^/]*\.js$/, route => late.promise.then(() => route.continue()))
    await page.reload()
    await asked
    await page.getByRole('button', { name: 'More for Nightly import' }).click()
    assert.equal((await page.content()).includes(key), false)
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    late.resolve()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByRole('heading', { name: 'Revoked and expired' }).waitFor()
    assert.equal((await read()).status, 401)
    await look(page, 'key revoked')
  },

  'the last owner cannot leave, and reads why; one of several can': async ({ open, person }, look) => {
    const page = await open('/settings/organization', { as: await person() })
    const leave = page.getByRole('button', { name: /^Leave / })
    await page.getByText('You are its last owner, so you cannot leave.').waitFor()
    assert.equal(await leave.isDisabled(), true)
    await look(page, 'last owner')
    await page.getByRole('link', { name: 'Go to the members' }).click()
    await page.waitForURL('**/settings/members')

    await person({ demo: true })
    const other = await open('/settings/organization', { as: await person({ demo: true }) })
    await other.getByRole('button', { name: /^Leave /, disabled: false }).waitFor()
    assert.equal(await other.getByText('You are its last owner').count(), 0)
  },

  'somebody is invited by a link, joins with a new account, and is made an admin': async ({ open, person, expects }, look) => {
    const owner = await open('/settings/members', { as: await person() })
    await owner.getByRole('button', { name: 'Invite' }).click()
    await owner.getByText('By a link', { exact: true }).click()
    await look(owner, 'invite')
    await owner.getByRole('button', { name: 'Make link' }).click()
    const address = new URL((await owner.getByRole('region', { name: 'The link' }).textContent()) ?? '')
    await owner.getByRole('button', { name: 'Done' }).click()

    const guest = await open(address.pathname)
    await guest.getByRole('heading', { name: /^Join / }).waitFor()
    await look(guest, 'invitation')
    await guest.getByLabel('Name').fill('Grace \u{1F680} Hopper')
    await guest.getByLabel('Email').fill(`grace-${address.pathname.slice(-8)}@example.com`)
    await guest.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await guest.getByRole('button', { name: 'Create account and join' }).click()
    await guest.waitForURL('**/home')

    await owner.getByRole('button', { name: /^More for Grace/ }).click()
    await owner.getByRole('menuitem', { name: 'Admin' }).click()
    await owner.getByRole('list', { name: 'Members' }).getByText('Admin').waitFor()
    await look(owner, 'members')
    expects(guest, /status of 404.*\/claim\//)
    await guest.goto(address.href.replace(address.origin, new URL(guest.url()).origin))
    await guest.getByRole('heading', { name: 'There is nothing to join here' }).waitFor()
  },

  'an owner makes an archive of everything, sees it get ready, and downloads it': async ({ open, person }, look) => {
    const page = await open('/settings/organization', { as: await person() })
    await look(page, 'no archive')
    await page.getByRole('button', { name: 'Make an archive' }).click()
    await page.getByText('The archive is ready').waitFor()
    await look(page, 'archive')
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    assert.match((await coming).suggestedFilename(), /^archive-[\d-]+\.zip$/)
  },

  'this device is marked, and all others are ended': async ({ open, person, ask }, look) => {
    const ada = await person()
    const page = await open('/settings/sessions', { as: ada })
    await page.getByText('This device').waitFor()
    await look(page, 'sessions')
    const { sessions } = await ask<{ sessions: object[] }>(ada, '{ sessions { id } }')
    assert.equal(sessions.length, 1)
    for (const [path, name] of [
      ['/settings', 'profile'],
      ['/settings/organization', 'organization'],
    ] as const) {
      await page.goto(new URL(path, page.url()).href)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      await look(page, name)
    }
  },

  'a name, a time zone and dense rows are kept for other browsers': async ({ open, person }, look) => {
    const ada = await person({ demo: true })
    const page = await open('/settings', { as: ada })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada King')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByRole('button', { name: 'Ada King' }).waitFor()
    await page.getByRole('radiogroup', { name: 'Rows of tables' }).getByText('Compact').click()
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Auckland')
    await page.getByRole('option', { name: 'Pacific/Auckland' }).click()
    await page.getByRole('radio', { name: 'Compact', checked: true }).waitFor({ state: 'attached' })
    await look(page, 'preferences')

    const other = await open('/settings', { as: ada })
    await other.locator('input[role="combobox"][value="Pacific/Auckland"]').waitFor()
    await other.getByRole('link', { name: 'Contacts' }).click()
    const row = other.getByRole('grid', { name: 'Contacts' }).getByRole('row').nth(1)
    await row.getByRole('checkbox').waitFor()
    assert.equal((await row.boundingBox())?.height, 32)
  },

  'a field is added, and a number is denied': async ({ open, person }, look) => {
    const page = await open('/settings/fields', { as: await person() })
    await page.getByRole('button', { name: 'New field' }).click()
    await page.getByLabel('Name').fill('Renewal date')
    await page.getByRole('textbox', { name: 'Key' }).focus()
    await page.getByRole('button', { name: 'Create field' }).click()
    await page.getByRole('list', { name: 'Custom fields' }).getByText('Renewal date').waitFor()
    await look(page, 'custom fields')

    await page.goto(new URL('/settings/calls', page.url()).href)
    await page.getByLabel('Number').fill('12')
    await page.getByRole('button', { name: 'Deny number' }).click()
    await page.locator('.mantine-TextInput-error').first().waitFor()
    await page.getByLabel('Number').fill('+49 30 1234567')
    await page.getByRole('button', { name: 'Deny number' }).click()
    await page.getByRole('list', { name: 'Denied numbers' }).getByText('+49301234567').waitFor()
    await look(page, 'calls')
  },
})
