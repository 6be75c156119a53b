// The outcomes that rows of a file would have, if they were imported now. Reads the contacts, and writes nothing.

import type { Context } from '../../../kernel/context.ts'
import type { Problem } from '../../../kernel/input/problem.ts'
import { emailKeysOf } from '../../contact/addresses/address.ts'
import { keysOf } from '../../contact/batch/by-external-id.ts'
import { checkContacts } from '../../contact/check.ts'
import { contactsByEmail, contactsByExternalId } from '../../contact/contact.sql.ts'
import { addressesIn } from '../../contact/input.ts'
import type { OnConflict } from '../../contact/write.ts'
import type { CustomField } from '../../custom-fields/field.sql.ts'
import type { ContactImport } from '../import.sql.ts'
import { contactInput } from '../nouns/contacts.ts'
import type { ImportNoun } from '../nouns/fields.ts'
import type { LinkedRow } from '../nouns/links.ts'
import { otherOutcomeReader } from '../nouns/outcomes.ts'
import type { Outcome } from './outcome.ts'

type Importing = Pick<ContactImport, 'orgId' | 'noun'>

/** Returns a function that takes the rows of a file in their order, in batches of some hundreds. `together`: as for `linkRows`. */
export function outcomeReader(
  context: Context,
  { orgId, noun }: Importing,
  onConflict: OnConflict | null,
  customFields: readonly CustomField[],
  together: ReadonlySet<ImportNoun>,
): (rows: readonly LinkedRow[]) => Promise<Outcome[]> {
  if (noun === 'contact') return contactOutcomeReader(context, orgId, onConflict, customFields)
  return otherOutcomeReader(context, orgId, noun, onConflict, together.size > 0)
}

function contactOutcomeReader(context: Context, orgId: string, onConflict: OnConflict | null, customFields: readonly CustomField[]) {
  const seen = new Set<string>()
  const seenIds = new Set<string>()
  const seenRecords = new Set<string>()
  return async (rows: readonly LinkedRow[]): Promise<Outcome[]> => {
    const all = await checkContacts(context, orgId, rows.map(contactInput), customFields)
    const addresses = all.flatMap(addressesIn)
    const existing = addresses.length > 0 ? await context.db.query(contactsByEmail, [orgId, addresses]) : []
    for (const contact of existing) for (const address of emailKeysOf(contact)) seen.add(address)
    const keys = all.flatMap(keysOf)
    const known = keys.length > 0 ? await context.db.query(contactsByExternalId, [orgId, keys]) : []
    for (const { externalId } of known) if (externalId !== null) seenIds.add(externalId)
    return rows.map((row, index) => {
      const changes = all[index]
      const [address, ...further] = changes ? addressesIn(changes).map(one => one.toLowerCase()) : []
      const ids = changes ? keysOf(changes) : []
      const hasId = ids.some(id => seenIds.has(id))
      const { externalId, known: knownId } = row.linked
      const isSame = knownId !== null || (externalId !== null && seenRecords.has(externalId))
      const isTaken = isSame || hasId || (address !== undefined && seen.has(address))
      const problems = [...row.problems, ...(changes?.problems ?? [])]
      if (problems.length > 0) return { outcome: 'failed', isTaken: false, problems, changes }
      // Of a contact that is there the further ones may be its own.
      const isOther = !isTaken && further.some(one => one !== address && seen.has(one))
      if (isOther) return { outcome: 'failed', isTaken: true, problems: [takenProblem(false)], changes }
      for (const one of address === undefined ? [] : [address, ...further]) seen.add(one)
      for (const id of ids) seenIds.add(id)
      if (externalId !== null) seenRecords.add(externalId)
      if (!isTaken) return { outcome: 'created', isTaken, problems, changes }
      if (onConflict !== null || isSame) return { outcome: onConflict === 'skip' ? 'skipped' : 'updated', isTaken, problems, changes }
      return { outcome: 'failed', isTaken, problems: [takenProblem(hasId)], changes }
    })
  }
}

const takenProblem = (hasId: boolean): Problem =>
  hasId
    ? { path: ['externalId'], type: 'value_error', message: 'A contact with this external id exists already' }
    : { path: ['email'], type: 'value_error', message: 'A contact with this email exists already' }
