// The statements that find contacts by their addresses and numbers, primary or further. Triggers on contacts write the tables.

import { statement } from '../../../database/statement.ts'
import { rows, text, uuid } from '../../../database/table.ts'

/** The sort key of addresses. Contacts without one come last. */
export const emailKey = `(coalesce(lower(email), U&'\\+10FFFF' || id::text)) collate "C"`

/** SQL: the addresses of a contact, as the table has them. */
export const addressesOfRow = (email = 'email', emails = 'emails') => `contact_addresses_of(${email}, ${emails})`

/** SQL: the live contact with the address; null if there is none. */
export const holderOf = (orgId: string, address: string) =>
  `(select contact_id from contact_emails where org_id = ${orgId} and address = lower(${address}))`

// A scalar subquery, because PostgreSQL makes a join of `not exists`, and compares each row with all addresses of the organization.
/** SQL: whether no live contact has one of the addresses. */
export const areFree = (orgId: string, addresses: string) =>
  `(select held.contact_id from contact_emails held where held.org_id = ${orgId} and held.address = any(${addresses}) limit 1) is null`

// The ids as an array: with `or`, PostgreSQL would read the whole list. `$1` is the organization.
/** A condition of lists: the contact has the address. A deleted one is found by its primary address. */
export const havingAddress = (address: string) =>
  `id = any(array(
     select contact_id from contact_emails where org_id = $1 and address = lower(${address})
     union all select id from contacts gone where org_id = $1 and ${emailKey} = lower(${address}) and deleted_at is not null
   ))`

/** A condition of lists: the contact has a number like this, primary or further. */
export const havingNumber = (like: (phone: string, value: string) => string) => (value: string) =>
  `id = any(array(
     select id from contacts called where org_id = $1 and phone is not null and ${like('phone', value)}
     union all select contact_id from contact_numbers where org_id = $1 and ${like('number', value)}
   ))`

/** $2: addresses in lower case. */
export const holdersOfAddresses = statement(
  'contact_emails_holders',
  'select address, contact_id from contact_emails where org_id = $1 and address = any($2::text[])',
  rows({ address: text, contactId: uuid }),
)
