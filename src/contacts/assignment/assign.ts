// Gives new contacts an owner, by the assignment rule of their organization.

import type { Queries } from '../../database/queries.ts'
import type { Contact } from '../contact/row.ts'
import { readRule, type StoredRule, takeTurns } from './rule.sql.ts'

/** Sets the owner of each contact that the rule has one for. Members who have left get none. */
export async function assignOwners(db: Queries, contacts: readonly Contact[]): Promise<void> {
  for (const [orgId, ofOrganization] of Map.groupBy(contacts, contact => contact.orgId)) {
    const [rule] = await db.query(readRule, [orgId])
    if (!rule) continue
    const others: Contact[] = []
    for (const contact of ofOrganization) {
      contact.ownerUserId = chosenFor(rule, contact)
      if (contact.ownerUserId === null) others.push(contact)
    }
    await assignInTurn(db, rule, orgId, others)
  }
}

function chosenFor({ kind, entries, members }: StoredRule, { country, source }: Contact): string | null {
  const value = kind === 'by_country' ? country : kind === 'by_source' ? source : null
  const entry = value === null ? undefined : entries.find(({ values }) => values.includes(value))
  return entry && members.includes(entry.userId) ? entry.userId : null
}

async function assignInTurn(db: Queries, { userIds, members }: StoredRule, orgId: string, contacts: readonly Contact[]): Promise<void> {
  const here = userIds.filter(userId => members.includes(userId))
  const [first] = contacts
  if (!first || here.length === 0) return
  const [turns] = await db.query(takeTurns, [orgId, contacts.length])
  // While another transaction takes turns, chance begins: the last digits of an id are random, so in the long run everybody gets as many.
  const start = turns?.position ?? Number.parseInt(first.id.slice(-8), 16)
  for (const [index, contact] of contacts.entries()) contact.ownerUserId = here[(start + index) % here.length] ?? null
}
