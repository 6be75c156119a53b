// What a page shows before its scripts have arrived, and that nothing of it moves when they have.

import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { observe, paintsOf } from '../../bench/paints.ts'
import type { Fixture, Person } from '../../support/fixture.ts'
import { tell } from '../../support/story.ts'

interface Held {
  page: Page
  /** Lets the scripts arrive. Resolves with the loaded page. */
  release(): Promise<void>
}

/** A page whose scripts are on their way; the one for the first paint is there. */
async function held(fixture: Fixture, path: string, options: BrowserContextOptions & { as?: Person } = {}): Promise<Held> {
  const { promise: mayArrive, resolve: release } = Promise.withResolvers<void>()
  const { promise: prepared, resolve: tellPrepared } = Promise.withResolvers<Page>()
  const prepare = async (page: Page) => {
    await observe(page)
    await page.route(/\/assets\/(?!first-paint).*\.js$/, async route => {
      await mayArrive
      await route.fallback()
    })
    tellPrepared(page)
  }
  const opened = fixture.open(path, { ...options, prepare })
  // Fails where the page could not be opened at all.
  const page = await Promise.race([prepared, opened])
  await page.locator('#first-paint').waitFor({ state: 'attached' })
  return {
    page,
    async release() {
      release()
      await opened
    },
  }
}

const phone = { viewport: { width: 390, height: 844 } }
const brand = (page: Page) => page.getByRole('banner').getByText('Rolocom')
const places = (page: Page) => page.getByRole('navigation', { name: 'Places' })
const isPainted = (page: Page) => page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
const isGone = (page: Page) => page.locator('#first-paint').waitFor({ state: 'detached' })

// The fonts before and after differ by fractions of a pixel.
const rounded = (box: { x: number; y: number } | null) => box && [Math.round(box.x), Math.round(box.y)]

/** Edges and colour of the rail, of the first paint's or of the app's. */
const railOf = (page: Page, selector: string) =>
  page.evaluate(wanted => {
    const rail = document.querySelector(wanted)
    if (!rail) throw new Error(`there is no ${wanted}`)
    const { left, top, width, height } = rail.getBoundingClientRect()
    const { backgroundColor, borderRightColor } = getComputedStyle(rail)
    return { left, top, width, height, backgroundColor, borderRightColor }
  }, selector)

tell({
  'the name is painted before the scripts, and stays where it is': async (fixture, look) => {
    for (const path of ['/', '/sign-in', '/reset-password'])
      for (const size of [{}, phone]) {
        const { page, release } = await held(fixture, path, size)
        await isPainted(page)
        const painted = await brand(page).boundingBox()
        await release()
        await page.getByRole('heading', { level: 1 }).waitFor()
        await isGone(page)
        const standing = await brand(page).boundingBox()
        assert.deepEqual(rounded(standing), rounded(painted), path)
        assert.ok((await paintsOf(page)).layoutShift < 0.05, path)
      }
    const { page, release } = await held(fixture, '/sign-in')
    await look(page, 'first paint of the sign-in')
    await release()
  },

  'who is signed in sees the lines of the frame before the scripts, and the frame in their place': async (fixture, look) => {
    const person = await fixture.person()
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, release } = await held(fixture, '/contacts', { as: person, colorScheme })
      await isPainted(page)
      const painted = await railOf(page, '#first-paint header')
      await release()
      await places(page).waitFor()
      await isGone(page)
      assert.deepEqual(await railOf(page, 'nav'), painted, colorScheme)
      await page.getByText('The people you call and write to are listed here.').waitFor()
      assert.ok((await paintsOf(page)).layoutShift < 0.05, colorScheme)
    }
    const { page, release } = await held(fixture, '/contacts', { as: person })
    await look(page, 'first paint of the app')
    await release()
  },

  'the frame is painted first at the addresses that have it, and at no other': async fixture => {
    const person = await fixture.person()
    const paths = ['/', '/sign-in', '/home', '/device', '/claim/x', '/oauth/authorize', '/sign-in?redirect_uri=http://127.0.0.1:1/']
    for (const path of paths) {
      const { page, release } = await held(fixture, path, { as: person })
      fixture.expects(page, /Failed to load resource/)
      const first = await page.evaluate(() => document.documentElement.dataset.firstPaint)
      await release()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await isGone(page)
      assert.equal(first, (await places(page).count()) > 0 ? 'frame' : undefined, path)
    }
    const app = await held(fixture, '/contacts')
    await brand(app.page).waitFor()
    assert.equal(await app.page.evaluate(() => document.documentElement.dataset.firstPaint), undefined, 'a stranger')
    await app.release()
    await app.page.waitForURL('**/sign-in?**')

    const widget = await held(fixture, '/widgets/x', { as: person })
    fixture.expects(widget.page, /Failed to load resource/)
    assert.equal(await widget.page.locator('#first-paint').isVisible(), false, 'a widget')
    await widget.release()
    await widget.page.getByRole('alert').waitFor()
  },

  // Axe cannot look at it: its timers are scripts too.
  'without JavaScript a page says that it needs it, and where everything else is': async ({ open }) => {
    const page = await open('/contacts', { javaScriptEnabled: false })
    await page.getByRole('heading', { name: 'Rolocom needs JavaScript', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'reference' }).click()
    await page.waitForURL('**/docs')
  },
})
