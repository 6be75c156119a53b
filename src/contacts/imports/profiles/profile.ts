// Exports of other systems, recognised by their headers: each system is a table of its files. Pure.

import { longId } from '../../external-ids/salesforce.ts'
import { plainWord } from '../cells/characters.ts'
import { fieldsOf, type ImportNoun } from '../nouns/fields.ts'
import type { Profile } from './declared.ts'
import { google } from './google.ts'
import { hubspot } from './hubspot.ts'
import { linkedin } from './linkedin.ts'
import { outlook } from './outlook.ts'
import { pipedrive } from './pipedrive.ts'
import { salesforce } from './salesforce.ts'

const profiles: readonly Profile[] = [hubspot, salesforce, pipedrive, google, outlook, linkedin]

export interface Recognised {
  source: string
  noun: ImportNoun
  /** The field of each header; null where the profile knows none. */
  fields: (string | null)[]
  /** For a header without a field: the one that it means, and that another has. */
  further: (string | null)[]
}

const files = profiles.flatMap(({ source, files }) =>
  files.map(({ noun, has, fields }) => ({
    source,
    noun,
    has: has.map(plainWord),
    fields: new Map(Object.entries(fields).map(([header, field]) => [plainWord(header), field])),
  })),
)

// In characters. A longer cell is no header of a system, and would take time.
const maxHeader = 100

/** The system and the noun of a file with these headers; null where they are of none. `values` has the values under each header. */
export function recognise(headers: readonly string[], values: readonly (readonly string[])[] = []): Recognised | null {
  const plain = headers.map(header => (header.length > maxHeader ? '' : plainWord(header)))
  const given = new Set(plain)
  const fitting = files.filter(({ has }) => has.every(header => given.has(header)))
  const [best] = fitting.toSorted((one, other) => knownIn(other.fields, given) - knownIn(one.fields, given))
  if (!best) return null
  const fields: (string | null)[] = headers.map(() => null)
  // The first header of the table that has values comes first.
  for (const isFilled of [true, false])
    for (const [header, field] of best.fields) {
      const index = plain.indexOf(header)
      if (index < 0 || (values[index] ?? []).length > 0 !== isFilled) continue
      if (!fields.includes(field)) fields[index] = field
    }
  const further = plain.map((header, index) => (fields[index] === null ? (best.fields.get(header) ?? null) : null))
  return { source: best.source, noun: best.noun, fields, further }
}

const knownIn = (fields: ReadonlyMap<string, string>, given: ReadonlySet<string>) =>
  [...fields.keys()].filter(header => given.has(header)).length

/** The system as people write it. */
export const titleOf = (source: string): string => profiles.find(profile => profile.source === source)?.title ?? source

/** An id as it is kept. */
export const keptId = (source: string, id: string): string => (source === 'salesforce' && /^[a-zA-Z0-9]{15}$/.test(id) ? longId(id) : id)

/** The fields of profiles that their noun does not have: a fault of a table here, which a test finds. */
export const unknownFields = (): string[] =>
  profiles.flatMap(({ source, files }) =>
    files.flatMap(({ noun, fields }) =>
      Object.values(fields)
        .filter(field => !(field in fieldsOf[noun].table) && !fieldsOf[noun].further.includes(field))
        .map(field => `${source} ${noun} ${field}`),
    ),
  )
