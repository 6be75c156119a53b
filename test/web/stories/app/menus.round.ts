// Menus, popovers and forms, which are loaded when they are opened first.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

tell({
  'a menu opens at its first click, and gives the focus back to its button': async ({ open, person }) => {
    const page = await open('/contacts', { as: await person({ demo: true }) })
    await page.getByRole('grid', { name: 'Contacts' }).getByRole('row').nth(10).waitFor()
    const button = page.getByRole('button', { name: 'More for contacts' })
    for (const opening of ['first', 'second']) {
      await button.click()
      await page.getByRole('menuitem', { name: 'Duplicates' }).waitFor()
      assert.equal(await button.getAttribute('aria-expanded'), 'true', opening)
      await page.keyboard.press('Escape')
      await page.getByRole('menuitem', { name: 'Duplicates' }).waitFor({ state: 'detached' })
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'More for contacts')
    }
  },

  'a menu closes at an Escape that comes before it has the focus': async ({ open, person }) => {
    const page = await open('/contacts', { as: await person({ demo: true }) })
    await page.getByRole('grid', { name: 'Contacts' }).getByRole('row').nth(10).waitFor()
    const button = page.getByRole('button', { name: 'More for contacts' })
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('[role=menuitem]')) return
        observer.disconnect()
        document.body.dataset.pressedAt = document.activeElement?.closest('[role=menu]') ? 'menu' : 'page'
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
      })
      observer.observe(document.body, { subtree: true, childList: true })
    })
    await button.click()
    await page.waitForFunction(() => document.body.dataset.pressedAt !== undefined)
    assert.equal(await page.evaluate(() => document.body.dataset.pressedAt), 'page')
    await page.getByRole('menuitem', { name: 'Duplicates' }).waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'More for contacts')
  },

  'the list of columns, the filters and the forms of contacts open by their keys and buttons': async ({ open, person }) => {
    const page = await open('/contacts', { as: await person({ demo: true }) })
    await page.waitForURL(url => url.searchParams.has('view'))
    await page.getByRole('grid', { name: 'Contacts' }).getByRole('row').nth(10).waitFor()

    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByRole('button', { name: 'Move Company down' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Move Company down' }).waitFor({ state: 'detached' })

    await page.keyboard.press('f')
    await page.getByRole('menuitem', { name: 'City' }).click()
    // The editor has the focus, the chip its name.
    await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]')?.getAttribute('aria-label') === 'City')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'City' }).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Opportunities', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
    await page.getByRole('dialog', { name: 'Save a view' }).getByLabel('Name').fill('Mine')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Save a view' }).waitFor({ state: 'detached' })

    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New contact' }).getByLabel('First name').fill('Grace')
  },
})
