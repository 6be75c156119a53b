// Injects faults that operators meet, and prints figures of each: time to recovery, and lost, doubled, wrong and hung requests.
//
//   npm run faults                every row, some minutes
//   npm run faults -- --short     the rows of CI
//   npm run faults -- pgbouncer   the rows whose name or file holds the word
//   npm run faults -- --pooler    servers reach PostgreSQL through PgBouncer, LISTEN and migrations past it
//
// Each file of rows/ exports one row (row.ts) and gets a lab (lab.ts) for it: PostgreSQL clusters, PgBouncer, Redis and servers of its own.

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLab } from './lab.ts'
import type { Figures, Row } from './row.ts'
import { isInstalled } from './tools.ts'

const words = process.argv.slice(2).filter(word => !word.startsWith('--'))
const isShort = process.argv.includes('--short')
const isPooled = process.argv.includes('--pooler')
const folder = join(import.meta.dirname, 'rows')
const usual: Partial<Figures> = { recoveryMs: 15_000, lost: 0, doubled: 0, wrong: 0, hung: 0 }
const counts = { held: 0, failed: 0, skipped: 0 }

for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!file.endsWith('.ts')) continue
  const { row } = (await import(join(folder, file))) as { row: Row }
  if ((isShort && !row.isShort) || (isPooled && row.isDirect)) continue
  if (words.length > 0 && !words.some(word => `${file} ${row.name}`.toLowerCase().includes(word.toLowerCase()))) continue
  const missing = [...new Set([...(row.needs ?? []), ...(isPooled ? ['pgbouncer' as const] : [])])].filter(tool => !isInstalled(tool))
  const lack = missing.length > 0 ? `${missing.join(' and ')} is not installed` : await row.lacks?.()
  if (lack !== undefined) say('skipped', `${row.name}: ${lack}`)
  else await tryRow(row)
}
console.log(`faults: ${counts.held} held, ${counts.failed} failed, ${counts.skipped} skipped`)
// In the format that .ci/run sums up.
const { TEST_RESULTS } = process.env
if (TEST_RESULTS)
  writeFileSync(
    TEST_RESULTS,
    JSON.stringify({ numPassedTests: counts.held, numFailedTests: counts.failed, numPendingTests: counts.skipped }),
  )
process.exit(counts.failed > 0 || counts.held + counts.skipped === 0 ? 1 : 0)

async function tryRow(row: Row): Promise<void> {
  const lab = openLab({ isPooled })
  try {
    const figures = await row.run(lab)
    const text = Object.entries(figures).map(([name, value]) => `${name} ${value === undefined ? '-' : Math.round(value)}`)
    const broken = Object.entries({ ...usual, ...row.limits }).flatMap(([name, most]) => {
      const value = figures[name]
      return most !== undefined && value !== undefined && !(value <= most) ? [`${name} may be ${most}`] : []
    })
    say(broken.length > 0 ? 'failed' : 'held', [row.name, text.join(', '), ...broken, ...lab.findings()].join('\n           '))
  } catch (error) {
    say('failed', `${row.name}: ${error instanceof Error ? error.stack : error}\n${lab.findings().join('\n')}`)
  } finally {
    await lab.close()
  }
}

function say(outcome: keyof typeof counts, text: string): void {
  counts[outcome]++
  console.log(`${outcome.padEnd(8)} ${text}`)
}
