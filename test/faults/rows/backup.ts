// The embedded database backed up under load and restored into another folder; a backup that was cut off is refused.

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Row } from '../row.ts'
import { ask } from '../traffic.ts'

const main = join(import.meta.dirname, '../../../src/main.ts')
const contacts = '/api/crm/v1/contacts'

/** Runs a command on a data folder. Resolves with its output, and rejects with what it wrote to standard error. */
const rolocom = (dataDir: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [main, ...args], { env: { PATH: process.env.PATH, DATA_DIR: dataDir } })

export const row: Row = {
  name: 'the embedded database, backed up under load and restored: everything acknowledged until the time that it prints is there, /metrics tells when it ended; half a backup is refused',
  isShort: true,
  async run(lab) {
    const [first, second, folder] = [lab.folder(), join(lab.folder(), 'restored'), lab.folder()]
    const before = await lab.server({}, undefined, first)
    const created: { id: string; at: number }[] = []
    const create = async () => {
      const { status, body } = await ask(before, 'POST', contacts, 10_000, { email: `${randomUUID()}@backup.example` }, randomUUID())
      if (status === 201) created.push({ id: String(body.id), at: Date.now() })
    }
    for (let i = 0; i < 100; i++) await create()
    const atBegin = created.length
    const file = join(folder, 'backup.tar.gz')
    let isBackedUp = false
    const load = (async () => {
      while (!isBackedUp) await Promise.all(Array.from({ length: 8 }, create))
    })()
    await rolocom(first, 'backup', file).finally(() => {
      isBackedUp = true
    })
    await load
    const metrics = await (await fetch(`${before.url}/metrics`)).text()
    const age = Date.now() / 1000 - Number(/^rolocom_last_backup_timestamp_seconds (\S+)$/m.exec(metrics)?.[1])
    const isRecorded = age < 60
    if (!isRecorded) lab.found(`the last backup is ${age} s old`)
    await before.stop()

    const half = join(folder, 'half.tar.gz')
    writeFileSync(half, readFileSync(file).subarray(0, -1_000))
    const refusal = await rolocom(second, 'restore', half).then(
      () => 'it was restored',
      (error: { stderr: string }) => error.stderr,
    )
    const isRefused = refusal.includes('is not a complete backup') && !existsSync(join(second, 'postgres'))
    if (!isRefused) lab.found(refusal)
    const { stdout } = await rolocom(second, 'restore', file)
    const until = Date.parse(/ at (\S+),/.exec(stdout)?.[1] ?? '')
    const acknowledged = created.filter(({ at }, index) => index < atBegin || at < until)
    const after = await lab.server({}, before.key, second)
    let lost = 0
    for (const { id } of acknowledged) if ((await ask(after, 'GET', `${contacts}/${id}`)).status !== 200) lost++
    const during = acknowledged.length - atBegin
    const { status } = await ask(after, 'POST', contacts, 10_000, { email: `${randomUUID()}@backup.example` })
    const exitStatus = await after.stop()
    return { lost, doubled: 0, wrong: status === 201 && isRecorded ? 0 : 1, hung: 0, during, unrefused: isRefused ? 0 : 1, exitStatus }
  },
  limits: { unrefused: 0, exitStatus: 0 },
}
