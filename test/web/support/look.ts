// Looks at a screen as it stands: light and dark, wide and narrow, with axe; with SHOTS it is saved as pictures. With SHORT=1 it is looked at in
// two of the four ways, light and wide, dark and narrow, and by axe in one of them, because axe takes most of the time of a story.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { violations } from '../../pages/axe.ts'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

const schemes = ['light', 'dark'] as const
type Scheme = (typeof schemes)[number]

/** `wanted`: the colour schemes. A page that chooses its colours when it is loaded is looked at in one. */
export type Look = (page: Page, name: string, wanted?: readonly Scheme[]) => Promise<void>

/** Throws with every violation of serious or critical impact, and where the page is wider than its window. */
export function createLook(shots: string | undefined): Look {
  if (shots) mkdirSync(shots, { recursive: true })
  return async (page, name, wanted = schemes) => {
    const before = page.viewportSize()
    const problems: string[] = []
    const ways = waysOf(wanted)
    for (const [index, [viewport, colorScheme]] of ways.entries()) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await settled(page)
      if (shots) await page.screenshot({ path: join(shots, `${name.replaceAll(/\W+/g, '-')}-${colorScheme}-${viewport.width}.png`) })
      const isChecked = !isShort || index === name.length % ways.length
      const found = [...(isChecked ? await violations(page) : []), ...(await overflow(page))]
      problems.push(...found.map(problem => `${name} ${colorScheme} ${viewport.width}: ${problem}`))
    }
    if (before) await page.setViewportSize(before)
    await page.emulateMedia({ colorScheme: null })
    if (problems.length > 0) throw new Error(problems.join('\n'))
  }
}

const isShort = process.env.SHORT === '1'
const waysOf = (wanted: readonly Scheme[]) =>
  isShort
    ? wanted.map(scheme => [scheme === 'light' ? desktop : phone, scheme] as const)
    : [desktop, phone].flatMap(size => wanted.map(scheme => [size, scheme] as const))

// Two frames: the first applies the size, the second what reacts to it. Then what is loaded: pictures, fonts, lazy parts.
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

async function overflow(page: Page): Promise<string[]> {
  const { wide, width } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { wide: scrollWidth, width: clientWidth }
  })
  return wide > width ? [`${wide} px wide in a window of ${width}`] : []
}
