// Measures the web app in Chromium on 100,000 contacts: the median of five rounds, beside the limits.
//
//   npm run bench -- web                     needs Debian's chromium-headless-shell or chromium, or CHROMIUM
//   npm run bench -- web search           only measures with this name
//   npm run bench -- web --rounds 1       fewer rounds
//   BENCH_DATABASE_URL=postgresql://... npm run bench -- web    on a database of its own on that server, in place of an embedded one
//
// It wants the machine for itself: the browser, the server and its database share the processors.

import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fillContacts } from '../../bench/cases/data.ts'
import { median } from '../../support/median.ts'
import { launchBrowser } from '../support/browser.ts'
import { startFixture } from '../support/fixture.ts'
import { type Figures, live, type Measure, opening, paints, scroll, search, slowSignIn } from './measures.ts'

const measures: Readonly<Record<string, Measure>> = { paints, slowSignIn, opening, search, scroll, live }
// The highest that each figure may be, and its unit.
const limits: Readonly<Record<string, readonly [limit: number, unit: string]>> = {
  'first contentful paint': [500, 'ms'],
  'largest paint': [1000, 'ms'],
  'layout shift': [0.05, ''],
  'sign-in on a slow line and processor: largest paint': [3000, 'ms'],
  'sign-in on a slow line and processor: blocking': [300, 'ms'],
  'address opened to rows that answer keys, cold': [1200, 'ms'],
  'address opened to rows that answer keys, inside': [400, 'ms'],
  'last key of a search to rows, p95': [150, 'ms'],
  '20,000 rows scrolled: blank rows': [0, ''],
  '20,000 rows scrolled: long tasks': [5, ''],
  '20,000 rows scrolled: heap': [150, 'MB'],
  'change elsewhere to seen, p95': [300, 'ms'],
}

const { values, positionals } = parseArgs({ options: { rounds: { type: 'string', default: '5' } }, allowPositionals: true })
const wanted = Object.entries(measures).filter(([name]) => positionals.length === 0 || positionals.includes(name))
const contacts = 100_000

const browser = await launchBrowser()
if (!browser) process.exit(1)
execFileSync(process.execPath, ['src/main.ts', 'build'], { cwd: join(import.meta.dirname, '../../..'), stdio: 'inherit' })
const { fixture, pool, settle, stop } = await startFixture(browser, {}, process.env.BENCH_DATABASE_URL)
const rounds: Figures[] = []
let errors: string[] = []
try {
  const person = await fixture.person()
  await fillContacts(pool, person.orgId, contacts)
  await pool.query('vacuum analyze contacts')
  const { rows } = await pool.query<{ server_version: string }>('show server_version')
  console.log(`${contacts} contacts on PostgreSQL ${rows[0]?.server_version}, ${process.env.BENCH_DATABASE_URL ? 'outside' : 'embedded'}`)
  for (let round = 0; round < Number(values.rounds); round++) {
    const figures: Figures = {}
    console.log(`round ${round + 1} of ${values.rounds}, load of the machine ${loadavg()[0]?.toFixed(1)}`)
    for (const [, measure] of wanted) {
      Object.assign(figures, await measure(fixture, person))
      errors = [...errors, ...(await settle())]
    }
    rounds.push(figures)
  }
} finally {
  await browser.close()
  await stop()
}

let isOver = false
for (const name of Object.keys(rounds[0] ?? {})) {
  const figures = rounds.map(figures => figures[name] ?? Number.NaN).toSorted((a, b) => a - b)
  const middle = median(figures)
  const [limit, unit] = limits[name] ?? [Number.NaN, '']
  // Not a number is over too: what could not be measured does not pass.
  const passes = middle <= limit
  isOver ||= !passes
  const shown = (value: number) => (value >= 10 ? value.toFixed(0) : value.toFixed(3).replace(/\.?0+$/, ''))
  console.log(`${passes ? 'within' : 'OVER  '}  ${name}: ${shown(middle)} ${unit} of ${limit} (${figures.map(shown).join(', ')})`)
}
for (const error of new Set(errors)) console.log(`error in the page: ${error}`)
process.exit(isOver ? 1 : 0)
