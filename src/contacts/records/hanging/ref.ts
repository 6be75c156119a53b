// References to records: a noun and an id. A row that hangs on records has an id for each noun, and one of them is set.

import { invalid } from '../../../kernel/errors.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import { type RecordNoun, recordNouns } from '../nouns.ts'

export interface RecordRef {
  noun: RecordNoun
  id: string
}

/** The property that has the id of a record of the noun. */
export const idNameOf = {
  contact: 'contactId',
  company: 'companyId',
  deal: 'dealId',
} as const satisfies Record<RecordNoun, string>
export type RecordIdName = (typeof idNameOf)[RecordNoun]
export type RecordIds = Record<RecordIdName, string | null>

/** A value for each noun. */
export const forNouns = <Value>(make: (noun: RecordNoun) => Value): Readonly<Record<RecordNoun, Value>> =>
  // Object.fromEntries does not keep the key type; the keys are exactly the nouns.
  Object.fromEntries(recordNouns.values.map(noun => [noun, make(noun)])) as Record<RecordNoun, Value>

/** The ids of a row that hangs on the record. */
export const idsOf = ({ noun, id }: RecordRef): RecordIds => ({ contactId: null, companyId: null, dealId: null, [idNameOf[noun]]: id })

/** The record of a row; null where no id is set. */
export const recordIn = (ids: { readonly [Name in RecordIdName]?: string | null }): RecordRef | null => refsIn(ids)[0] ?? null

/** The record of a row that hangs on one. */
export function recordOf(row: RecordIds): RecordRef {
  const ref = recordIn(row)
  if (!ref) throw new Error('A row hangs on no record, although its table has a check of it')
  return ref
}

/** The record that an input names. Throws INVALID unless it names exactly one. `what`: such as `a note`. */
export function chosenRecord(input: { readonly [Name in RecordIdName]?: string | null }, what: string): RecordRef {
  const [ref, second] = refsIn(input)
  if (!ref) throw invalid(valueError('contactId', `${what} belongs to a record: send the id of a contact, a company or a deal`))
  if (second) {
    const error = `${what} belongs to one record: send the id of the ${ref.noun} or of the ${second.noun}, not both`
    throw invalid(valueError(idNameOf[second.noun], error, second.id))
  }
  return { noun: ref.noun, id: ref.id.toLowerCase() }
}

const refsIn = (ids: { readonly [Name in RecordIdName]?: string | null }): RecordRef[] =>
  recordNouns.values.flatMap(noun => {
    const id = ids[idNameOf[noun]]
    return id == null ? [] : [{ noun, id }]
  })
