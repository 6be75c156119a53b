// Tests the server's own pages in Chromium, which are not the web app's (npm run web): light and dark, desktop and phone width.
//
//   npm run pages                     needs /usr/bin/chromium (Debian's package), or CHROMIUM
//   npm run pages -- --shots folder   also saves a screenshot of each in the folder
//   npm run pages -- /docs            only tests with this text in their name
//
// Each page must pass axe (no violation of serious or critical impact), fit its width, and cause no console error or violation of its
// Content-Security-Policy.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { guideAddresses } from '../../src/rest/docs/guides.ts'
import { type Server, startServer } from '../crash/server.ts'
import { launchBrowser } from '../web/browser.ts'
import { violations } from './axe.ts'
import { stories } from './stories.ts'

const { values, positionals } = parseArgs({ options: { shots: { type: 'string' } }, allowPositionals: true })

const schemes = ['light', 'dark'] as const
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

// For pages that scripts render: a selector that exists once the page is rendered.
const signs: Readonly<Record<string, string>> = { '/docs': '.opblock', '/graphql': '.graphiql-execute-button' }

let passed = 0
let failed = 0
async function check(name: string, look: () => Promise<string[]>): Promise<void> {
  if (positionals.length > 0 && !positionals.some(wanted => name.includes(wanted))) return
  const problems = await look().catch((error: unknown) => [error instanceof Error ? error.message : String(error)])
  if (problems.length === 0) passed++
  else failed++
  console.log(`${problems.length === 0 ? 'passed ' : 'FAILED '}  ${name}${problems.map(problem => `\n           ${problem}`).join('')}`)
}

/** Opens a page and collects its errors. */
async function opened(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0],
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') errors.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => errors.push(`error: ${error.message}`))
  const response = await page.goto(url, { waitUntil: 'load' })
  if (response?.status() !== 200) errors.push(`status ${response?.status()}`)
  return { page, errors }
}

async function overflow(page: Page): Promise<string[]> {
  const { wide, width } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { wide: scrollWidth, width: clientWidth }
  })
  return wide > width ? [`${wide} px wide in a window of ${width}`] : []
}

async function lookAt(
  browser: Browser,
  server: Server,
  path: string,
  colorScheme: 'light' | 'dark',
  viewport: { width: number; height: number },
) {
  const { page, errors } = await opened(browser, server.url + path, { colorScheme, viewport })
  const sign = signs[path]
  if (sign) await page.waitForSelector(sign)
  if (values.shots)
    await page.screenshot({
      path: join(values.shots, `${path.split('?')[0]?.replaceAll('/', '_').slice(0, 30)}-${colorScheme}-${viewport.width}.png`),
    })
  const problems = [...errors, ...(await violations(page)), ...(await overflow(page))]
  await page.context().close()
  return problems
}

const browser = await launchBrowser()
if (!browser) {
  console.log('0 passed, 0 failed, 1 skipped')
  process.exit(0)
}
if (values.shots) mkdirSync(values.shots, { recursive: true })
const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-pages-'))
const server = await startServer(dataDir)
try {
  // The claim link that the server printed at its first start. The token of the password page is invented: the page does not verify it.
  const claim = /\/claim\/[\w-]+/.exec(readFileSync(join(dataDir, 'first-start.txt'), 'utf8'))?.[0] ?? '/claim/none'
  const names: Readonly<Record<string, string>> = {
    [claim]: '/claim/...',
    '/idp/choose-password?token=he892PqmmGvG20F7Sk5cezBs': '/idp/choose-password',
  }
  for (const path of ['/docs', '/docs/errors', ...guideAddresses, '/graphql', ...Object.keys(names)])
    for (const colorScheme of schemes)
      for (const viewport of sizes)
        await check(`${names[path] ?? path} ${colorScheme} ${viewport.width}`, () => lookAt(browser, server, path, colorScheme, viewport))
  for (const [name, tell] of stories)
    await check(name, async () => {
      const { page, errors } = await opened(browser, server.url, {
        viewport: { width: 1440, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      await tell(page, server)
      if (values.shots) await page.screenshot({ path: join(values.shots, `${name.replaceAll(/\W+/g, '-')}.png`) })
      await page.context().close()
      // Some stories expect a 401, which the console reports as an error.
      return errors.filter(error => !error.includes('status of 401'))
    })
} finally {
  await browser.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
