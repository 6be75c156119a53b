// The archive of a backup: a gzipped tar file, which is complete when its last entry is there.

import { createWriteStream, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, Header, Pack, ReadEntry } from 'tar'
import { z } from 'zod'
import { EmbeddedError } from '../program.ts'

/** The last entry of the archive. */
const manifest = z.object({ release: z.string(), at: z.iso.datetime() })
export type Manifest = z.infer<typeof manifest>
const manifestName = 'backup.json'

export interface Archive {
  text(name: string, content: string): Promise<void>
  folder(name: string): Promise<void>
  /** Adds the file at `path` unless it is gone. One that shrinks meanwhile is filled up with zeros. */
  file(name: string, path: string): Promise<void>
}

/** Writes the archive to `path`, which must not exist, readable by its owner only. `add` adds its entries and resolves with the last one. */
export async function writeArchive(path: string, add: (archive: Archive) => Promise<Manifest>): Promise<void> {
  // Level 1: pages of tables shrink to a third at any level, and this one is several times faster.
  const entries = new Pack({ gzip: { level: 1 } })
  const put = async (
    name: string,
    size: number,
    content: Iterable<Buffer> | AsyncIterable<Buffer>,
    type: 'File' | 'Directory' = 'File',
  ) => {
    const entry = new ReadEntry(new Header({ path: name, type, size, mode: type === 'File' ? 0o600 : 0o700, mtime: new Date() }))
    entries.add(entry)
    for await (const chunk of content) if (!entry.write(chunk)) await new Promise(resolve => entry.once('drain', resolve))
    entry.end()
  }
  const archive: Archive = {
    text: (name, content) => put(name, Buffer.byteLength(content), [Buffer.from(content)]),
    folder: name => put(`${name}/`, 0, [], 'Directory'),
    async file(name, from) {
      const file = await open(from).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (!file) return
      try {
        const { size } = await file.stat()
        await put(name, size, exactly(file, size))
      } finally {
        await file.close()
      }
    },
  }
  const failed = new AbortController()
  const written = pipeline(Readable.from(entries), createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }), failed)
  const added = add(archive).then(async last => {
    await archive.text(manifestName, JSON.stringify(last))
    entries.end()
  })
  try {
    // When the disk is full, entries wait for ever.
    await Promise.race([added, written.then(() => added)])
    await written
  } finally {
    failed.abort()
  }
}

const chunkBytes = 1 << 18

/** `size` bytes of the file. Zeros replace bytes that it has lost since its size was read. */
async function* exactly(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    const chunk = Buffer.alloc(Math.min(left, chunkBytes))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, size - left)
    // Zeros where the file ends.
    const next = bytesRead > 0 ? chunk.subarray(0, bytesRead) : chunk
    left -= next.length
    yield next
  }
}

/** Extracts the archive into the folder, which exists. Throws EmbeddedError for a file that is no complete archive. */
export async function extractArchive(path: string, folder: string): Promise<Manifest> {
  try {
    await extract({ file: path, cwd: folder, strict: true })
    return manifest.parse(JSON.parse(readFileSync(join(folder, manifestName), 'utf8')))
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS'].includes(code)) throw error
    throw new EmbeddedError(`${path} is not a complete backup${code === 'ENOENT' ? '' : `: ${message}`}.`, { cause: error })
  }
}
