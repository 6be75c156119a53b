// The statements that find contacts that may be the same person. Each reads indexes in their order: contact_emails_by_spelling,
// contacts_by_number with contact_numbers_by_number, contacts_by_name_in_company.

import { statement } from '../../database/statement.ts'
import { rows, uuid } from '../../database/table.ts'
import { addressesOfRow } from '../contact/addresses/address.sql.ts'
import { phoneKeyOf } from '../contact/contact.sql.ts'
import { isOpen, maxShared, sameNumber, sectionsOf } from './sections.sql.ts'

const live = 'org_id = $1 and deleted_at is null'
// The addresses that are not their mailbox, as in the index.
const otherSpelling = `org_id = $1 and (address like '%+%' or address like '%.%@gmail.com' or address like '%@googlemail.com')`
const named = `${live} and full_name is not null and company_name is not null`
const nameKey = 'name_and_company(full_name, company_name)'

const addresses = (contact: string) => `unnest(${addressesOfRow(`${contact}.email`, `${contact}.emails`)})`
const sameMailbox = `exists (select from ${addresses('one')} mine join ${addresses('other')} its on mailbox_of(its) = mailbox_of(mine))`
const numbers = (contact: string) =>
  `(select ${contact}.phone as number where ${contact}.phone is not null
     union all select further ->> 'value' from jsonb_path_query(${contact}.phones, '$[1 to last]') further)`
const samePhone = `exists (select from ${numbers('one')} mine join ${numbers('other')} its on ${sameNumber('mine.number', 'its.number')})`
/** The numbers of contacts, primary and further. Deleted contacts are among them. */
const numbersWhere = (condition: (number: string) => string) =>
  `(select id, phone as number, ${phoneKeyOf()} as key from contacts where org_id = $1 and phone is not null and ${condition(phoneKeyOf())}
     union all select contact_id, number, phone_key(number) from contact_numbers where org_id = $1 and ${condition('phone_key(number)')})`

export const contactSections = sectionsOf('duplicates', {
  mailbox: {
    sql: `select one.key, one.id, pair.id as other_id
    from (select distinct mailbox_of(address) as key, contact_id as id from contact_emails
      where ${otherSpelling} and (mailbox_of(address), contact_id) > ($2, $3::uuid) order by 1, 2) one
    cross join lateral (
      select id from (
        (select contact_id as id from contact_emails
         where org_id = $1 and address = one.key and contact_id <> one.id and ${isOpen('contact_id', 'one.id')})
        union all
        (select contact_id from contact_emails
         where ${otherSpelling} and mailbox_of(address) = one.key and contact_id < one.id and ${isOpen('contact_id', 'one.id')}
         order by contact_id limit 1)
      ) spelling order by id limit 1
    ) pair`,
  },
  phone: {
    sql: `select shared.key, one.id, pair.id as other_id
    from (select key from ${numbersWhere(key => `${key} >= $2`)} numbered
      group by 1 having count(*) between 2 and ${maxShared} order by 1) shared
    cross join lateral (
      select id, email, emails, number from ${numbersWhere(key => `${key} = shared.key`)} numbered
      join contacts using (id) where deleted_at is null and (shared.key, id) > ($2, $3::uuid) order by id
    ) one
    cross join lateral (
      select id from ${numbersWhere(key => `${key} = shared.key`)} numbered join contacts other using (id)
      where deleted_at is null and ${sameNumber('one.number', 'numbered.number')} and id < one.id and not ${sameMailbox} and ${isOpen('id', 'one.id')}
      order by id limit 1
    ) pair`,
  },
  name: {
    // The keys are numbers.
    noKey: '-9223372036854775808',
    form: /^-?\d{1,19}$/,
    sql: `select shared.key::text, one.id, pair.id as other_id
    from (select ${nameKey} as key from contacts where ${named} and ${nameKey} >= $2::bigint
      group by 1 having count(*) between 2 and ${maxShared} order by 1) shared
    cross join lateral (
      select id, email, emails, phone, phones from contacts
      where ${named} and ${nameKey} = shared.key and (${nameKey}, id) > ($2::bigint, $3::uuid) order by id
    ) one
    cross join lateral (
      select id from contacts other
      where ${named} and ${nameKey} = shared.key and id < one.id and not ${sameMailbox} and not ${samePhone} and ${isOpen('id', 'one.id')}
      order by id limit 1
    ) pair`,
  },
})

const id = rows({ id: uuid })
// The maximum number of contacts that are compared with one contact by name.
const maxSimilar = 50
/**
 * Contacts that may be the same person as the contact $2. $1 organization, $3 its mailboxes, $4 its numbers, $5 its name or
 * null, $6 its company or null, $7 its name as `searchable` spells it.
 */
export const selectCandidates = statement(
  '',
  `with alike as materialized (select id from contacts where ${live} and $7::text <% search_text),
   wanted as (select array(select phone_key(number) from unnest($4::text[]) number) as keys)
   select id from (
     (select contact_id as id from contact_emails where org_id = $1 and address = any($3::text[]))
     union (select contact_id from contact_emails where ${otherSpelling} and mailbox_of(address) = any($3::text[]) order by contact_id limit ${maxSimilar})
     union (select id from contacts where ${live} and phone is not null and ${phoneKeyOf()} = any((select keys from wanted)::text[]) limit ${maxSimilar})
     union (select contact_id from contact_numbers where org_id = $1 and phone_key(number) = any((select keys from wanted)::text[]) limit ${maxSimilar})
     union (select id from contacts where ${named} and ${nameKey} = name_and_company($5, $6) order by id limit ${maxSimilar})
     union (select id from alike limit ${maxSimilar})
   ) candidate where id <> $2 and ${isOpen('id', '$2::uuid')}`,
  id,
)
