// Links the rows of a file to their records here, and to the records that they name by the ids of their system.

import { createHash } from 'node:crypto'
import type { Context } from '../../../kernel/context.ts'
import { listOf } from '../../exports/lists.ts'
import { type ExternalKey, heldBy, keyText } from '../../external-ids/external-id.ts'
import type { RecordNoun } from '../../records/nouns.ts'
import { type CellWarning, type Mapping, type ReadRow, warningOf } from '../columns/mapping.ts'
import type { ContactImport } from '../import.sql.ts'
import { keptId, titleOf } from '../profiles/profile.ts'
import { fieldsOf, type ImportNoun, type LinkField, linkFieldNames, linkFields } from './fields.ts'

interface Linked {
  /** The id of the row in its system; null where it has none, or the system is not known. */
  externalId: string | null
  /** The id of the record, note or task that the row is here; null for a new one. */
  known: string | null
  /** The ids of the records that it names. */
  links: Readonly<Record<RecordNoun, readonly string[]>>
}
export type LinkedRow<Row extends ReadRow = ReadRow> = Row & { linked: Linked }

const none: Linked = { externalId: null, known: null, links: { contact: [], company: [], deal: [] } }

type Linking = Pick<ContactImport, 'orgId' | 'noun' | 'source'>

/** `together`: the nouns of the other files of the import. Their records are not missing before they are imported. */
export async function linkRows<Row extends ReadRow>(
  { db, ...context }: Context,
  { orgId, noun, source }: Linking,
  mapping: Mapping,
  rows: readonly Row[],
  together: ReadonlySet<ImportNoun> = new Set(),
): Promise<LinkedRow<Row>[]> {
  if (source === null) return rows.map(row => ({ ...row, input: withoutLinks(row.input).rest as Row['input'], linked: none }))
  const asked = rows.map(row => {
    const { rest, recordId, named } = withoutLinks(row.input)
    const id = recordId ?? (mapping.some(({ field }) => field === 'recordId') ? null : identityOf(noun, rest))
    return {
      row,
      rest,
      externalId: id === null ? null : keptId(source, id),
      named: named.map(one => ({ ...one, ids: one.ids.map(id => keptId(source, id)) })),
    }
  })
  const keys = new Map<string, ExternalKey>()
  const ask = (key: ExternalKey) => keys.set(keyText(key), key)
  for (const { externalId, named } of asked) {
    if (externalId !== null) ask({ noun, id: externalId })
    for (const { field, ids } of named) for (const id of ids) for (const holder of linkFields[field]) ask({ noun: holder, id })
  }
  const held = await heldBy({ ...context, db }, orgId, source, [...keys.values()])
  return asked.map(({ row, rest, externalId, named }) => {
    const links: Record<RecordNoun, string[]> = { contact: [], company: [], deal: [] }
    const warnings: CellWarning[] = []
    for (const { field, ids } of named) {
      const unknown: string[] = []
      for (const id of ids) {
        const holder = linkFields[field].find(one => held.has(keyText({ noun: one, id })))
        const found = holder && held.get(keyText({ noun: holder, id }))
        if (!holder || !found) unknown.push(id)
        else if (!links[holder].includes(found)) links[holder].push(found)
      }
      const column = mapping.find(one => one.field === field)?.column
      // A cell has one warning.
      const isTold = row.warnings.some(warning => warning.column === column)
      if (unknown.length > 0 && column !== undefined && !isTold && !linkFields[field].some(one => together.has(one)))
        warnings.push(warningOf(column, unknown.join(';'), unknownIn(field, source)))
    }
    const known = externalId === null ? null : (held.get(keyText({ noun, id: externalId })) ?? null)
    return {
      ...row,
      input: { ...withExternalId(noun, rest, row.input, known) } as Row['input'],
      warnings: [...row.warnings, ...warnings],
      linked: { externalId, known, links },
    }
  })
}

// A new record says its id there as `externalId`, too, by which callers of before find it.
function withExternalId(noun: ImportNoun, rest: Readonly<Record<string, unknown>>, input: object, known: string | null) {
  const { recordId } = input as { recordId?: string }
  const isNew = known === null && recordId !== undefined && rest.externalId === undefined
  return isNew && Object.hasOwn(fieldsOf[noun].table, 'externalId') ? { ...rest, externalId: recordId } : rest
}

const unknownIn = (field: LinkField, source: string) =>
  `names no ${linkFields[field].map(noun => fieldsOf[noun].word).join(' or ')} that was imported from ${titleOf(source)}; import its file together with this one`

function withoutLinks(input: object) {
  const rest: Record<string, unknown> = { ...input }
  const { recordId } = rest
  delete rest.recordId
  const named = linkFieldNames.flatMap(field => {
    const value = rest[field]
    delete rest[field]
    if (value === undefined) return []
    // `as`: readers of these fields return ids.
    return [{ field, ids: (Array.isArray(value) ? value : listOf(String(value))) as string[] }]
  })
  return { rest, recordId: typeof recordId === 'string' ? recordId : null, named }
}

// The fields that identify a row of a system without ids: the page or the address of a person, and otherwise all names.
const identities: Partial<Record<ImportNoun, readonly (readonly string[])[]>> = {
  contact: [['linkedinUrl'], ['email'], ['fullName', 'firstName', 'lastName', 'phone', 'companyName']],
  company: [['domain'], ['name']],
}

function identityOf(noun: ImportNoun, input: Readonly<Record<string, unknown>>): string | null {
  const names = identities[noun]?.find(fields => fields.some(field => input[field] !== undefined)) ?? Object.keys(input).toSorted()
  const values = names.map(name => (input[name] === undefined ? '' : String(input[name]).toLowerCase()))
  if (values.every(value => value === '')) return null
  const [only = ''] = values
  return values.length === 1 && only.length <= 255 ? only : createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32)
}
