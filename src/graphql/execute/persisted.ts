// Loads persisted documents: the web app's build lists them, and its requests send a hash instead of the text.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { PersistedDocuments } from './parameters.ts'

const manifest = z.record(z.string().regex(/^[0-9a-f]{64}$/), z.string())

/** Reads a JSON object whose keys are SHA-256 hashes in hexadecimal and whose values are documents. Throws if a hash does not match. */
export function readPersisted(file: string | URL): PersistedDocuments {
  const documents = Object.entries(manifest.parse(JSON.parse(readFileSync(file, 'utf8'))))
  for (const [hash, text] of documents)
    if (createHash('sha256').update(text).digest('hex') !== hash) throw new Error(`${file}: the document under ${hash} is another one`)
  return new Map(documents)
}
