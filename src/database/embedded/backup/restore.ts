// Restores a backup of the embedded database into a folder that has none.

import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { syncPath } from '../../../config/durable-file.ts'
import { startEmbedded } from '../embedded.ts'
import { EmbeddedError, findPrograms, userFor } from '../program.ts'
import { extractArchive, type Manifest } from './archive.ts'
import type { BackupOptions } from './backup.ts'

/**
 * Restores the archive and starts the database once, which replays its log. Resolves with the release that wrote it, and when. Throws
 * EmbeddedError with one sentence, and then leaves the folder as it was.
 */
export async function restore({ dataDir, file, log }: BackupOptions): Promise<Manifest> {
  const home = join(resolve(dataDir), 'postgres')
  const secrets = join(resolve(dataDir), 'secrets.json')
  for (const path of [home, secrets])
    if (existsSync(path)) throw new EmbeddedError(`${path} exists: move it away, or set DATA_DIR to another folder.`)
  if (!existsSync(file)) throw new EmbeddedError(`There is no file ${file}.`)
  const programs = await findPrograms()
  // Beside the final place, so that renaming moves no data.
  const draft = join(resolve(dataDir), `postgres.${process.pid}.new`)
  try {
    await mkdir(draft, { recursive: true })
    const manifest = await extractArchive(file, draft)
    const data = join(draft, 'postgres', 'data')
    const major = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
    if (major !== programs.major)
      throw new EmbeddedError(
        `${file} holds data of PostgreSQL ${major}, and this release brings ${programs.major}: restore it with release ${manifest.release}.`,
      )
    // PostgreSQL's user can reach its own folder and read nothing else.
    await chmod(join(draft, 'postgres'), 0o711)
    await chmod(data, 0o700)
    const user = userFor(data, programs)
    if (user) for (const path of [data, ...(await pathsIn(data))]) await chown(path, user.uid, user.gid)
    // PostgreSQL syncs its own files at the start below.
    const own = [join(draft, 'secrets.json'), join(draft, 'postgres', 'password'), join(draft, 'postgres')]
    for (const path of own) if (existsSync(path)) syncPath(path)
    if (existsSync(join(draft, 'secrets.json'))) await rename(join(draft, 'secrets.json'), secrets)
    await rename(join(draft, 'postgres'), home)
    syncPath(resolve(dataDir))
    const database = await startEmbedded({ dataDir, log })
    await database.stop()
    return manifest
  } finally {
    // Files of an archive that turned out to be damaged may still be in the course of being written.
    await rm(draft, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

const pathsIn = async (folder: string) => (await readdir(folder, { recursive: true })).map(name => join(folder, name))
