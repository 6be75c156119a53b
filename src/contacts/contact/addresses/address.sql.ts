// The statements that find contacts by their addresses, primary or further. Triggers on contacts write the tables.

import { statement } from '../../../database/statement.ts'
import { rows, text, uuid } from '../../../database/table.ts'

/** SQL: the addresses of a contact, as the table has them. */
export const addressesOfRow = (email = 'email', emails = 'emails') => `contact_addresses_of(${email}, ${emails})`

/** SQL: the live contact with the address; null if there is none. */
export const holderOf = (orgId: string, address: string) =>
  `(select contact_id from contact_emails where org_id = ${orgId} and address = lower(${address}))`

// A scalar subquery, because PostgreSQL makes a join of `not exists`, and compares each row with all addresses of the organization.
/** SQL: whether no live contact has one of the addresses. */
export const areFree = (orgId: string, addresses: string) =>
  `(select held.contact_id from contact_emails held where held.org_id = ${orgId} and held.address = any(${addresses}) limit 1) is null`

/** $2: addresses in lower case. */
export const holdersOfAddresses = statement(
  'contact_emails_holders',
  'select address, contact_id from contact_emails where org_id = $1 and address = any($2::text[])',
  rows({ address: text, contactId: uuid }),
)
