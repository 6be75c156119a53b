// The pages that the server itself serves, looked at in Chromium: light and dark, wide and as narrow as a phone.
//
//   npm run pages                     needs /usr/bin/chromium (Debian's package), or CHROMIUM
//   npm run pages -- --shots folder   also leaves a picture of each there
//   npm run pages -- /docs            only what has this in its name
//
// Each page must satisfy axe (nothing of serious or critical impact), fit its width, and run without a complaint in the console or about
// its policy.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type Server, startServer } from '../crash/server.ts'
import { violations } from './axe.ts'
import { stories } from './stories.ts'

const { values, positionals } = parseArgs({ options: { shots: { type: 'string' } }, allowPositionals: true })
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

const schemes = ['light', 'dark'] as const
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

// What a page that is built by scripts has when it is there.
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

/** Opens a page, collecting what it complains of. */
async function opened(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0],
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => complaints.push(`error: ${error.message}`))
  const response = await page.goto(url, { waitUntil: 'load' })
  if (response?.status() !== 200) complaints.push(`status ${response?.status()}`)
  return { page, complaints }
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
  const { page, complaints } = await opened(browser, server.url + path, { colorScheme, viewport })
  const sign = signs[path]
  if (sign) await page.waitForSelector(sign)
  if (values.shots)
    await page.screenshot({
      path: join(values.shots, `${path.split('?')[0]?.replaceAll('/', '_').slice(0, 30)}-${colorScheme}-${viewport.width}.png`),
    })
  const problems = [...complaints, ...(await violations(page)), ...(await overflow(page))]
  await page.context().close()
  return problems
}

if (!existsSync(executablePath)) {
  console.log(`skipped: no browser at ${executablePath}; apt-get install chromium`)
  console.log('0 passed, 0 failed, 1 skipped')
  process.exit(0)
}
if (values.shots) mkdirSync(values.shots, { recursive: true })
const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-pages-'))
const server = await startServer(dataDir)
const browser = await chromium.launch({
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
try {
  // By its first start: the address by which its owner comes. The token of a link looks like this one, which the page cannot know to be none.
  const claim = /\/claim\/[\w-]+/.exec(readFileSync(join(dataDir, 'first-start.txt'), 'utf8'))?.[0] ?? '/claim/none'
  const names: Readonly<Record<string, string>> = {
    [claim]: '/claim/...',
    '/idp/choose-password?token=he892PqmmGvG20F7Sk5cezBs': '/idp/choose-password',
  }
  for (const path of ['/', '/docs', '/docs/errors', '/graphql', ...Object.keys(names)])
    for (const colorScheme of schemes)
      for (const viewport of sizes)
        await check(`${names[path] ?? path} ${colorScheme} ${viewport.width}`, () => lookAt(browser, server, path, colorScheme, viewport))
  for (const [name, tell] of stories)
    await check(name, async () => {
      const { page, complaints } = await opened(browser, server.url, {
        viewport: { width: 1440, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      await tell(page, server)
      if (values.shots) await page.screenshot({ path: join(values.shots, `${name.replaceAll(/\W+/g, '-')}.png`) })
      await page.context().close()
      // A refusal that a story asks for is no complaint.
      return complaints.filter(complaint => !complaint.includes('status of 401'))
    })
} finally {
  await browser.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
