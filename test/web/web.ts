// Tells the stories of the web app: the built app in Chromium, on a real server and database.
//
//   npm run web                       needs /usr/bin/chromium (Debian's package), or CHROMIUM
//   npm run web -- "signs up"         only stories with this text in their name, or in that of their file
//   npm run web -- --shots folder     also saves pictures of what they look at
//
// A story fails by what it asserts, by an error in the console or a report of the Content-Security-Policy, and by what axe finds. In CI one
// that failed is told once more, as tests are; a run in which more than two were fails.

import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { verdictOn } from '../support/retried.ts'
import { launchBrowser } from './browser.ts'
import { createLook } from './look.ts'
import type { Stories, Story } from './story.ts'
import { startWorld } from './world.ts'

const { values, positionals } = parseArgs({ options: { shots: { type: 'string' } }, allowPositionals: true })
const root = join(import.meta.dirname, '../..')

const files = globSync('stories/*.ts', { cwd: import.meta.dirname }).toSorted()
const wanted = (
  await Promise.all(
    files.map(async file => {
      const { stories } = (await import(join(import.meta.dirname, file))) as { stories: Stories }
      return Object.entries(stories).map(([name, tell]) => ({ name: `${basename(file, '.ts')}: ${name}`, tell }))
    }),
  )
)
  .flat()
  .filter(({ name }) => positionals.length === 0 || positionals.some(text => name.includes(text)))

const browser = await launchBrowser()
if (!browser) {
  for (const { name } of wanted) console.log(`skipped  ${name}`)
  console.log(`0 passed, 0 failed, ${wanted.length} skipped`)
  process.exit(0)
}
execFileSync(process.execPath, ['src/main.ts', 'build'], { cwd: root, stdio: 'inherit' })

let passed = 0
let failed = 0
const retried: string[] = []
const { world, settle, stop } = await startWorld(browser, {
  OUTGOING_ALLOW_PRIVATE: '127.0.0.1',
  VOICE_PRICE_PER_MINUTE: '1',
  GATEWAY_CONFIG: join(import.meta.dirname, 'gateway.json5'),
})
const look = createLook(values.shots)

async function problemsOf(name: string, tell: Story): Promise<string[]> {
  const started = performance.now()
  const thrown = await tell(world, look).then(
    () => [],
    (error: unknown) => [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  )
  const problems = [...thrown, ...(await settle())]
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${problems.length === 0 ? 'passed ' : 'FAILED '}  ${name} (${seconds} s)`)
  for (const problem of problems) console.log(problem.replaceAll(/^/gm, '           '))
  return problems
}

try {
  for (const { name, tell } of wanted) {
    let problems = await problemsOf(name, tell)
    if (problems.length > 0 && process.env.CI) {
      retried.push(name)
      problems = await problemsOf(name, tell)
    }
    if (problems.length === 0) passed++
    else failed++
  }
} finally {
  await browser.close()
  await stop()
}
const { lines, isTooMuch } = verdictOn(retried)
for (const line of lines) console.log(line)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 || isTooMuch ? 1 : 0)
