// Files that survive a power cut once they are written: synced, and so is the folder that holds their name.

import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a new file that only its owner can read. Nobody ever sees a part of it, also after a power cut. False when the file exists
 * already; it is left as it is.
 */
export function createDurably(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}`
  const options = { mode: 0o600, flush: true }
  try {
    writeFileSync(draft, text, options)
    try {
      // Unlike a rename, it fails when another process has created the file.
      linkSync(draft, path)
    } catch (error) {
      // A file system without links: there, another process may see a part of the file.
      if (codeOf(error) !== 'EEXIST') writeFileSync(path, text, { ...options, flag: 'wx' })
      else throw error
    }
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
  syncPath(dirname(path))
  // The folder itself may be new.
  syncPath(dirname(dirname(path)))
  return true
}

/** Waits until a file, or the names in a folder, are on the disk. Does nothing where the system syncs no folders. */
export function syncPath(path: string): void {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    fsyncSync(file)
  } catch (error) {
    // Windows opens no folders, and some network file systems sync none. EACCES: a folder that may be entered, but not read.
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(codeOf(error) ?? '')) throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
