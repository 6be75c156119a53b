// Compares what the model predicts with a run of the bench, and says what a load needs: `npm run bench -- growth`, after `npm run bench`.
//
// Fails where a prediction for one of the three pages below is more than 15 % wrong, as it is on a machine that other programs use, too.
// Predictions of writes are printed and not judged: they wait for the disk.
//
//   npm run bench -- growth run.json                  a certain run, in place of the newest in test/bench/.work
//   npm run bench -- growth --load W1=2000,W3=500     cores and bytes for 2,000 pages and 500 creates a second

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Run } from '../report.ts'
import { answersPerSecond, bytesOfCreates, coresFor } from './model.ts'

const judged = ['W1', 'W6', 'dashboard']
const allowedError = 0.15
// Cases with other callers than the bench's 16.
const callersOf: Record<string, number> = { search: 1 }

const { values, positionals } = parseArgs({ options: { load: { type: 'string' } }, allowPositionals: true })
const folder = join(import.meta.dirname, '../.work')
const file =
  positionals[0] ??
  join(
    folder,
    readdirSync(folder)
      .filter(name => name.endsWith('.json'))
      .sort()
      .at(-1) ?? '',
  )
const run = JSON.parse(readFileSync(file, 'utf8')) as Run
const figures = run.figures
  .filter(({ server, workload }) => server === 'project' && workload !== 'changes')
  .map(one => ({ ...one, demand: { server: one.serverMicroseconds, database: one.databaseMicroseconds } }))

console.log(`${run.at}, ${run.settings.contacts} contacts\n\n| case | predicted a second | measured | error % |\n|---|--:|--:|--:|`)
const wrong = new Set(judged)
for (const { workload, demand, perSecond, generatorMicroseconds = 0 } of figures) {
  // In the bench, the callers take CPU of PostgreSQL's core.
  const shared = { ...demand, database: demand.database + generatorMicroseconds }
  const predicted = answersPerSecond(shared, callersOf[workload] ?? 16)
  const error = predicted / perSecond - 1
  console.log(`| ${workload} | ${predicted.toFixed(0)} | ${perSecond.toFixed(0)} | ${(error * 100).toFixed(1)} |`)
  if (Math.abs(error) <= allowedError) wrong.delete(workload)
}

if (values.load) {
  const kinds = values.load.split(',').map(part => {
    const [workload, rate] = part.split('=')
    const figure = figures.find(one => one.workload === workload)
    if (!figure || !(Number(rate) > 0)) throw new Error(`--load wants cases of the run with their requests a second, not ${part}`)
    return { workload, demand: figure.demand, perSecond: Number(rate) }
  })
  const { server, database } = coresFor(kinds)
  const creates = kinds.filter(({ workload }) => workload === 'W3' || workload === 'W7').reduce((sum, { perSecond }) => sum + perSecond, 0)
  const gigabytes = bytesOfCreates(creates * 86_400, 30) / 1e9
  console.log(`\n${server} processes with a core each, ${database} cores of PostgreSQL, ${gigabytes.toFixed(0)} GB a month`)
}
if (wrong.size > 0) console.error(`\nMissing, or more than ${allowedError * 100} % wrong: ${[...wrong].join(', ')}`)
process.exit(wrong.size > 0 ? 1 : 0)
