// The server's own pages in Chromium, which are not the web app's: light and dark, desktop and phone width.
//
//   npm run round -- pages                     needs Debian's chromium-headless-shell or chromium, or CHROMIUM
//   npm run round -- pages -t /docs            only tests with this text in their name
//   SHOTS=folder npm run round -- pages        also saves pictures
//
// Each page must pass axe (no violation of serious or critical impact), fit its width, and cause no console error or violation of its
// Content-Security-Policy.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { guideAddresses } from '../../src/rest/docs/guides.ts'
import { type Server, startServer } from '../crash/server.ts'
import { launchBrowser, noBrowser } from '../web/support/browser.ts'
import { createLook } from '../web/support/look.ts'
import { stories } from './stories.ts'

// For pages that scripts render: a selector that exists once the page is rendered.
const signs: Readonly<Record<string, string>> = { '/docs': '.opblock', '/graphql': '.graphiql-execute-button' }

let browser: Browser
let server: Server
const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-pages-'))
const look = createLook(process.env.SHOTS)

beforeEach(({ skip }) => {
  if (noBrowser) skip(noBrowser)
})
beforeAll(async () => {
  if (noBrowser) return
  browser = await launchBrowser()
  server = await startServer(dataDir)
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Does something with a page, which must report no error but those that `isExpected`. */
async function withPage(
  path: string,
  work: (page: Page) => Promise<void>,
  isExpected = (_error: string) => false,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  try {
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', message => {
      if (message.type() === 'error') errors.push(`console: ${message.text()}`)
    })
    page.on('pageerror', error => errors.push(`error: ${error.message}`))
    const response = await page.goto(server.url + path, { waitUntil: 'load' })
    expect(response?.status()).toBe(200)
    await work(page)
    expect(errors.filter(error => !isExpected(error))).toEqual([])
  } finally {
    await context.close()
  }
}

async function looksRight(name: string, path: string): Promise<void> {
  const sign = signs[path]
  for (const colorScheme of ['light', 'dark'] as const) {
    const lookAt = async (page: Page) => {
      if (sign) await page.waitForSelector(sign)
      await look(page, name, [colorScheme])
    }
    await withPage(path, lookAt, undefined, { colorScheme })
  }
}

test.for(['/docs', '/docs/errors', ...guideAddresses, '/graphql'])('%s looks right', path => looksRight(path, path))

test('/claim/... looks right', async () => {
  // The link that the server printed at its first start.
  const [path] = /\/claim\/[\w-]+/.exec(readFileSync(join(dataDir, 'first-start.txt'), 'utf8')) ?? []
  await looksRight('/claim', path ?? '/claim/none')
})

// The token is invented: the page does not verify it.
test('/idp/choose-password looks right', () => looksRight('/idp/choose-password', '/idp/choose-password?token=he892PqmmGvG20F7Sk5cezBs'))

test.for(stories)('%s', ([, tell]) =>
  withPage(
    '/',
    page => tell(page, server),
    // Some stories expect a 401, which the console reports as an error.
    error => error.includes('status of 401'),
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ))
