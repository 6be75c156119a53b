// The app in German: the choice is kept with the account.

import type { Page } from 'playwright-core'
import { tell } from '../story.ts'

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
})
