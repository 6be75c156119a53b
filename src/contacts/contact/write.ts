// Adds contacts, or changes the live contacts with their addresses: a rule of many. Its callers join writes that arrive together.

import { orRefused, type RuleCall, type RuleOfMany } from '../../kernel/batching/together.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/problem.ts'
import { checkContact } from './check.ts'
import { liveContactByEmail, lockContactByEmail } from './contact.sql.ts'
import { addressesIn, type Changes, type ContactInput } from './input.ts'
import { type Insert, insertFree } from './insert.ts'
import type { Contact } from './row.ts'
import { checkFree, comparingAndSetting, newContact, takenError, writeChanges } from './steps.ts'

export type OnConflict = 'update' | 'skip'

export interface ContactWrite {
  contact: ContactInput
  /** Action where a live contact has the address. Null refuses with ALREADY_EXISTS and `existingId`; else the address is required. */
  onConflict: OnConflict | null
}

export type WriteOutcome = 'created' | 'updated' | 'skipped' | 'failed'
export interface Written {
  contact: Contact
  outcome: WriteOutcome
  /** The contact before an update. */
  before?: Contact
}

/** Adds contacts by one statement. Those whose address is taken follow one by one. A deleted contact stays deleted. */
export const writeContacts: RuleOfMany<ContactWrite, Written> = async asked => {
  const all = await Promise.all(asked.map(one => orRefused(() => checkWrite(one))))
  const inserted = await insertFree(all.flatMap(write => (write instanceof AppError ? [] : [write])))
  return all.map(write => {
    if (write instanceof AppError) return write
    const { context, contact, changes, onConflict } = write
    if (inserted.has(contact.id)) return { contact, outcome: 'created' as const }
    // Not awaited: it may wait for a locked contact, and the others are added.
    return writeTaken(context, contact.orgId, changes, onConflict)
  })
}

interface CheckedWrite extends Insert {
  changes: Changes
  onConflict: OnConflict | null
}

async function checkWrite({ context, input: { contact: input, onConflict } }: RuleCall<ContactWrite>): Promise<CheckedWrite> {
  const orgId = organizationOf(context)
  const isNamed = (input.email ?? input.emails?.[0] ?? null) !== null
  const missing = onConflict !== null && !isNamed ? [problem('email', 'missing', input)] : []
  const changes = await checkContact(context, orgId, input, missing)
  return { context, contact: newContact(context, orgId, changes), changes, onConflict }
}

/** Changes, skips or refuses the live contact with the address; adds one if that contact was deleted meanwhile. */
export function writeTaken(context: Context, orgId: string, changes: Changes, onConflict: OnConflict | null): Promise<Written> {
  return comparingAndSetting(context, async inside => {
    const { db } = inside
    const statement = db.inTransaction && onConflict === 'update' ? lockContactByEmail : liveContactByEmail
    const [existing] = await db.query(statement, [orgId, changes.fields.email])
    if (!existing) {
      await checkFree(
        inside,
        { id: '', orgId },
        addressesIn(changes)
          .slice(1)
          .map(address => address.toLowerCase()),
      )
      const contact = newContact(inside, orgId, changes)
      const added = await insertFree([{ context: inside, contact }])
      return added.size > 0 ? { contact, outcome: 'created' as const } : null
    }
    if (onConflict === null) throw takenError(existing.id)
    if (onConflict === 'skip') return { contact: existing, outcome: 'skipped' as const }
    // The address is not changed by an upsert, so its stored spelling stays.
    const updated = await writeChanges(inside, existing, { ...changes, fields: { ...changes.fields, email: existing.email } })
    return updated && { contact: updated, outcome: 'updated' as const, before: existing }
  })
}
