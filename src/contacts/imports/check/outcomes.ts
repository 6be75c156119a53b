// The outcomes that rows of a file would have, if they were imported now. Reads the contacts, and writes nothing.

import type { Context } from '../../../kernel/context.ts'
import type { Problem } from '../../../kernel/input/problem.ts'
import { emailKeysOf } from '../../contact/addresses/address.ts'
import { keysOf } from '../../contact/batch/by-external-id.ts'
import { checkContacts } from '../../contact/check.ts'
import { contactsByEmail, contactsByExternalId, contactsById } from '../../contact/contact.sql.ts'
import { addressesIn, type Changes } from '../../contact/input.ts'
import type { Contact } from '../../contact/row.ts'
import type { OnConflict } from '../../contact/write.ts'
import type { CustomField } from '../../custom-fields/field.sql.ts'
import type { ContactImport } from '../import.sql.ts'
import { changesContact, contactInput } from '../nouns/contacts.ts'
import type { ImportNoun } from '../nouns/fields.ts'
import type { LinkedRow } from '../nouns/links.ts'
import { otherOutcomeReader } from '../nouns/outcomes.ts'
import { earlierRows } from './earlier.ts'
import { type Outcome, outcomeOfChange } from './outcome.ts'

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
  const earlier = earlierRows()
  return async (rows: readonly LinkedRow[]): Promise<Outcome[]> => {
    const all = await checkContacts(context, orgId, rows.map(contactInput), customFields)
    const stored = await storedContacts(context, orgId, rows, all)
    return rows.map((row, index): Outcome => {
      const changes = all[index]
      const { externalId, known } = row.linked
      const [address, ...further] = (changes ? addressesIn(changes) : []).map(one => `email ${one.toLowerCase()}`)
      const ids = (changes ? keysOf(changes) : []).map(id => `id ${id}`)
      const names = [...(known === null ? [] : [`contact ${known}`]), ...(externalId === null ? [] : [`record ${externalId}`])]
      const isThere = (key: string) => stored.has(key) || earlier.has(key)
      const isSame = known !== null || names.some(isThere)
      const hasId = ids.some(isThere)
      const isTaken = isSame || hasId || (address !== undefined && isThere(address))
      const problems = [...row.problems, ...(changes?.problems ?? [])]
      if (problems.length > 0) return { outcome: 'failed', isTaken: false, problems, changes }
      // Of a contact that is there the further ones may be its own.
      const isOther = !isTaken && further.some(one => one !== address && isThere(one))
      if (isOther) return { outcome: 'failed', isTaken: true, problems: [takenProblem(false)], changes }
      const keys = [...names, ...ids, ...(address === undefined ? [] : [address])]
      const isRepeated = earlier.isSame(keys, row)
      earlier.add([...keys, ...further], row)
      if (!isTaken) return { outcome: 'created', isTaken, problems, changes }
      if (onConflict === null && !isSame) return { outcome: 'failed', isTaken, problems: [takenProblem(hasId)], changes }
      if (onConflict === 'skip' || isRepeated) return { outcome: 'skipped', isTaken, problems, changes }
      const found = keys.flatMap(key => stored.get(key) ?? [])[0]
      if (isRepeated === false || !found || !changes) return { outcome: 'updated', isTaken, problems, changes }
      return { ...outcomeOfChange(() => changesContact(found, changes, !isSame && !hasId)), isTaken, changes }
    })
  }
}

/** The live contacts of the rows by their ids, ids in other systems, and addresses. */
async function storedContacts({ db }: Context, orgId: string, rows: readonly LinkedRow[], all: readonly Changes[]) {
  const addresses = all.flatMap(addressesIn)
  const ids = all.flatMap(keysOf)
  const known = rows.flatMap(({ linked }) => linked.known ?? [])
  const byEmail = addresses.length > 0 ? await db.query(contactsByEmail, [orgId, addresses]) : []
  const byExternalId = ids.length > 0 ? await db.query(contactsByExternalId, [orgId, ids]) : []
  const byId = known.length > 0 ? await db.query(contactsById, [orgId, known]) : []
  const isLive = ({ deletedAt }: Contact) => deletedAt === null
  return new Map<string, Contact>([
    ...byEmail.flatMap(contact => emailKeysOf(contact).map(address => [`email ${address}`, contact] as const)),
    ...byExternalId.map(contact => [`id ${contact.externalId}`, contact] as const),
    ...byId.filter(isLive).map(contact => [`contact ${contact.id}`, contact] as const),
  ])
}

const takenProblem = (hasId: boolean): Problem =>
  hasId
    ? { path: ['externalId'], type: 'value_error', message: 'A contact with this external id exists already' }
    : { path: ['email'], type: 'value_error', message: 'A contact with this email exists already' }
