// An upgrade under load: the server of an earlier release and this one beside each other on one database, which is migrated meanwhile.
//
//   npm run round -- upgrade                      from the commit before the newest migration; a made-up migration; locks with 100,000 contacts
//   REVISION=v1.2 npm run round -- upgrade        from another revision
//   CONTACTS=1000000 npm run round -- upgrade     locks with a million contacts, some minutes
//   npm run round -- upgrade -t locks             one of them
//
// Callers ask a balancer through REST and GraphQL, place calls and receive webhooks. Nothing may fail, be lost or happen twice.

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../crash/server.ts'
import { type Lab, openLab } from '../faults/lab.ts'
import { measureLocks } from './locks.ts'
import { withMadeUp } from './made-up.ts'
import { checkOut, NotHere, previousRevision } from './previous.ts'
import { upgradeUnderLoad } from './rolling.ts'

const contacts = Number(process.env.CONTACTS ?? 100_000)

upgrades('made-up: a server serves on, and is restarted, on a database that is ahead by migrations which only expand', async lab => {
  const cluster = await lab.cluster()
  const { files, status } = await withMadeUp(lab.folder(), cluster.url())
  return [...status, ...(await upgradeUnderLoad(lab, { url: cluster.url(), from: projectRoot, files }))]
})

upgrades('previous: the release before the newest migration and this one beside each other', async lab => {
  const from = checkOut(process.env.REVISION ?? previousRevision(), lab.folder())
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

upgrades(`locks: no migration makes a read or write wait for more than a second, with ${contacts} contacts`, async lab => {
  const cluster = await lab.cluster({ fsync: 'off' })
  await cluster.query('create database large', [], 'postgres')
  return await measureLocks(lab, cluster.url('large'), contacts)
})

/** `work` resolves with what went wrong. */
function upgrades(name: string, work: (lab: Lab) => Promise<string[]>): void {
  test(name, async ({ skip }) => {
    const lab = openLab()
    try {
      expect((await work(lab)).slice(0, 20)).toEqual([])
    } catch (error) {
      if (error instanceof NotHere) skip(error.message)
      throw error
    } finally {
      console.log(lab.findings().join('\n'))
      await lab.close()
    }
  })
}
