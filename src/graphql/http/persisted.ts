// The persisted documents: the web app's, which its build writes to schema/operations/web.json.

import { readFileSync } from 'node:fs'
import type { PersistedDocuments } from './parameters.ts'

const file = new URL('../../../schema/operations/web.json', import.meta.url)

/** Reads the documents. Without the file there are none. */
export function readPersisted(): PersistedDocuments {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw error
  }
}
