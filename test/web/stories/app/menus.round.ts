// Menus, popovers and forms, which are loaded when they are opened first.

import assert from 'node:assert/strict'
import { violations } from '../../../pages/axe.ts'
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

  'axe accepts every menu while it is open, on a phone in the dark and on a desk in the light': async ({ open, person, ask, server }) => {
    const owner = await person({ demo: true })
    const { contacts, voiceAgents } = await ask<Record<'contacts' | 'voiceAgents', { nodes: { id: string }[] }>>(
      owner,
      '{ contacts(first: 1) { nodes { id } } voiceAgents(first: 1) { nodes { id } } }',
    )
    const paths = ['/home', '/contacts', `/contacts/${contacts.nodes[0]?.id}`, `/agents/${voiceAgents.nodes[0]?.id}`, '/settings/members']
    const problems: string[] = []
    let opened = 0
    for (const [width, colorScheme] of [[390, 'dark'] as const, [1440, 'light'] as const]) {
      const page = await open('/home', { as: owner, colorScheme, viewport: { width, height: 900 } })
      for (const path of paths) {
        await page.goto(server().url + path)
        await page.locator('main h1, main h2').first().waitFor()
        const buttons = page.locator('main [aria-haspopup=menu]')
        await buttons.first().waitFor()
        // The menus of a page are of few kinds.
        for (const button of (await buttons.all()).slice(0, 4)) {
          await button.click()
          await page.locator('[role=menu]').first().waitFor()
          opened++
          const name = (await button.getAttribute('aria-label')) ?? (await button.innerText())
          problems.push(...(await violations(page)).map(problem => `${width} ${colorScheme} ${path} ${name}: ${problem}`))
          await page.keyboard.press('Escape')
          await page.locator('[role=menu]').first().waitFor({ state: 'detached' })
        }
      }
      if (width > 390) continue
      await page.getByRole('navigation').getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('dialog').getByRole('menuitem', { name: 'Sign out' }).waitFor()
      problems.push(...(await violations(page)).map(problem => `${colorScheme} More: ${problem}`))
    }
    assert.deepEqual(problems, [])
    assert.ok(opened > 20, `only ${opened} menus were opened`)
  },
})
