// The contacts of deals: the statements that read and write them, and how they follow a merge.

import type { Selection } from '../../database/selection.ts'
import { statement, variants } from '../../database/statement.ts'
import { rows, text, uuid } from '../../database/table.ts'
import type { ListedContact } from '../contact/row.ts'
import { followMerges } from '../merge/move.sql.ts'
import { dealTable } from './row.ts'

const { all } = dealTable

export const liveContacts = statement(
  'deal_contacts_live',
  'select id from contacts where org_id = $1 and id = any($2::uuid[]) and deleted_at is null',
  rows({ id: uuid }),
)

export const contactsOfDeals = statement(
  'deal_contacts',
  `select deal_id, contact_id, role from deal_contacts where org_id = $1 and deal_id = any($2::uuid[]) order by deal_id, position`,
  rows({ dealId: uuid, contactId: uuid, role: text.orNull() }),
)
const withDeal = rows({ dealId: uuid, dealRole: text.orNull() })
const rowsOfDeals = variants(33)
/** The live contacts of deals, with the selected properties. $1 organization, $2 deals. */
export const contactRowsOfDeals = (contact: Selection<ListedContact>) =>
  rowsOfDeals(`deal_contact_rows_${contact.key}`, () => ({
    text: `select dc.deal_id, dc.role as deal_role, ${contact.of('c')}
     from deal_contacts dc join contacts c on c.org_id = dc.org_id and c.id = dc.contact_id and c.deleted_at is null
     where dc.org_id = $1 and dc.deal_id = any($2::uuid[]) order by dc.deal_id, dc.position`,
    rows: {
      described: [...withDeal.described, ...contact.described],
      row: (cells: readonly never[]) => ({ ...withDeal.row(cells.slice(0, 2)), contact: contact.row(cells.slice(2)) }),
    },
  }))
export const removeContacts = statement('deal_contacts_remove', 'delete from deal_contacts where org_id = $1 and deal_id = $2')
/** $1 organization, $2 deal, $3 contacts in their order, $4 their roles. */
export const insertContacts = statement(
  'deal_contacts_insert',
  `insert into deal_contacts (org_id, deal_id, contact_id, position, role)
   select $1, $2, contact_id, place - 1, role from unnest($3::uuid[], $4::text[]) with ordinality as given (contact_id, role, place)`,
)

const ofContact = rows({ contactId: uuid })
/** $1 organization, $2 contacts: the newest 100 deals of each. */
export const dealsOfContacts = statement(
  'deals_of_contacts',
  `select record.id as contact_id, ${all.of('d')} from unnest($2::uuid[]) as record (id) cross join lateral (
     select deals.* from deal_contacts dc join deals on deals.org_id = dc.org_id and deals.id = dc.deal_id and deals.deleted_at is null
     where dc.org_id = $1 and dc.contact_id = record.id order by deals.created_at desc, deals.id desc limit 100
   ) d`,
  {
    described: [...ofContact.described, ...all.described],
    row: (cells: readonly never[]) => ({ ...ofContact.row(cells.slice(0, 1)), deal: all.row(cells.slice(1)) }),
  },
)

// A deal that has both contacts keeps both: the deleted one is not shown, and is there again when the merge is undone. The version of a deal
// counts changes of its contacts.
followMerges('deal_contacts', {
  name: 'deals',
  description: 'Deals',
  move: `with moved as (
     update deal_contacts set contact_id = $3
     where org_id = $1 and contact_id = $2 and ($4::uuid[] is null or deal_id = any($4::uuid[]))
       and not exists (
         select from deal_contacts other where other.org_id = $1 and other.deal_id = deal_contacts.deal_id and other.contact_id = $3)
     returning deal_id
   )
   update deals set version = version + 1 from moved where deals.org_id = $1 and deals.id = moved.deal_id returning deals.id`,
})
