// backup and restore: the embedded database with its generated secrets, as one file.

import { statSync } from 'node:fs'
import { type Config, ConfigError } from '../../config/environment.ts'
import { backUp } from '../../database/embedded/backup/backup.ts'
import { restore as restoreBackup } from '../../database/embedded/backup/restore.ts'
import { createLog } from '../../server/log.ts'
import type { Command } from './command.ts'

export async function backup({ config, log, words, print }: Command): Promise<void> {
  refuseOutside(config)
  const [file = `rolocom-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.tar.gz`] = words
  await backUp({ dataDir: config.DATA_DIR, file, log: log.child({}, { level: 'warn' }) })
  print(`written: ${file} (${(statSync(file).size / 1e6).toFixed(1)} MB); it holds secrets, keep it where only you can read it`)
}

/** Runs without the secrets of a folder, which would be made, because the backup brings its own. */
export async function restore(config: Config, [file]: readonly string[], print: (text: string) => void): Promise<void> {
  refuseOutside(config)
  if (!file) throw new ConfigError(['restore wants the file of a backup: npm run -s rolocom -- restore rolocom.tar.gz'])
  const log = createLog({ ...config, LOG_LEVEL: 'warn' }, { isTerminal: process.stderr.isTTY === true, fd: 2 })
  const { release, at } = await restoreBackup({ dataDir: config.DATA_DIR, file, log })
  print(`restored: ${config.DATA_DIR} is as it was at ${at}, written by release ${release}`)
}

function refuseOutside({ DATABASE_URL }: Config): void {
  if (DATABASE_URL)
    throw new ConfigError(['DATABASE_URL: backup and restore are for the embedded database; prisma/README.md shows pg_dump for this one'])
}
