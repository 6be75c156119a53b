// An upgrade under load: the server of an earlier release and this one beside each other on one database, which is migrated meanwhile.
//
//   npm run upgrade                 from the commit before the newest migration; a made-up migration; locks with 100,000 contacts
//   npm run upgrade -- v1.2         from another revision
//   npm run upgrade -- --large      locks with a million contacts, some minutes
//   ONLY=locks npm run upgrade      the tests whose name has the word
//
// Callers ask a balancer through REST and GraphQL, place calls and receive webhooks. Nothing may fail, be lost or happen twice.

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../crash/server.ts'
import { type Lab, openLab } from '../faults/lab.ts'
import { measureLocks } from './locks.ts'
import { withMadeUp } from './made-up.ts'
import { checkOut, NotHere, previousRevision } from './previous.ts'
import { upgradeUnderLoad } from './rolling.ts'

const revision = process.argv.slice(2).find(word => !word.startsWith('-'))
const contacts = process.argv.includes('--large') ? 1_000_000 : 100_000
const only = process.env.ONLY ?? ''
const counts = { passed: 0, failed: 0, skipped: 0 }

await test('made-up: a server serves on, and is restarted, on a database that is ahead by migrations which only expand', async lab => {
  const cluster = await lab.cluster()
  const { files, status } = await withMadeUp(lab.folder(), cluster.url())
  return [...status, ...(await upgradeUnderLoad(lab, { url: cluster.url(), from: projectRoot, files }))]
})

await test('previous: the release before the newest migration and this one beside each other', async lab => {
  const from = checkOut(revision ?? previousRevision(), lab.folder())
  const cluster = await lab.cluster()
  await cluster.query('create database previous', [], 'postgres')
  const url = cluster.url('previous')
  const environment = { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: lab.folder() }
  const { status, stderr } = spawnSync(process.execPath, ['src/main.ts', 'migrate'], { cwd: from, env: environment, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the earlier release could not migrate: ${stderr}`)
  const migrations = (root: string) => readdirSync(join(root, 'prisma/migrations')).filter(name => /^\d{14}_/.test(name))
  const missing = migrations(projectRoot).filter(name => !migrations(from).includes(name))
  lab.found(`migrations between the two: ${missing.join(', ') || 'none'}`)
  return await upgradeUnderLoad(lab, { url, from })
})

await test(`locks: no migration makes a read or write wait for more than a second, with ${contacts} contacts`, async lab => {
  const cluster = await lab.cluster({ fsync: 'off' })
  await cluster.query('create database large', [], 'postgres')
  return await measureLocks(lab, cluster.url('large'), contacts)
})

console.log(`${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`)
process.exit(counts.failed > 0 ? 1 : 0)

/** `work` resolves with what went wrong. In CI, where others share the machine, a failure is printed and tried once more. */
async function test(name: string, work: (lab: Lab) => Promise<string[]>, attempts = process.env.CI ? 2 : 1): Promise<void> {
  if (!name.includes(only)) return
  const lab = openLab()
  try {
    const wrong = await work(lab)
    if (wrong.length > 0 && attempts > 1) {
      console.log([`retried  ${name}`, ...wrong.slice(0, 20)].join('\n         '))
      return await test(name, work, attempts - 1)
    }
    counts[wrong.length > 0 ? 'failed' : 'passed']++
    console.log([`${wrong.length > 0 ? 'FAILED ' : 'passed '}  ${name}`, ...wrong.slice(0, 20), ...lab.findings()].join('\n         '))
  } catch (error) {
    const isSkipped = error instanceof NotHere
    counts[isSkipped ? 'skipped' : 'failed']++
    console.log(
      isSkipped
        ? `skipped  ${name}: ${error.message}`
        : `FAILED   ${name}: ${error instanceof Error ? error.stack : error}\n${lab.findings().join('\n')}`,
    )
  } finally {
    await lab.close()
  }
}
