// How the exports of a system are declared.

import type { ImportNoun } from '../nouns/fields.ts'

/** A file that a system writes. */
export interface ProfileFile {
  noun: ImportNoun
  /** The headers by which it is recognised: all of them are there. */
  has: readonly string[]
  /** The field that each header means. Where several mean one, the first that has values is taken. Other headers are read as in any file. */
  fields: Readonly<Record<string, string>>
}

export interface Profile {
  /** The name of the system in `externalIds`. */
  source: string
  /** As people write it. */
  title: string
  files: readonly ProfileFile[]
}
