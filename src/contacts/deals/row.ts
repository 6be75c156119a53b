// Deals as they are stored: their events, field table and columns.

import { bigint, date, integer, object, type RowOf, type Selected, table, text, timestamptz, uuid } from '../../database/table.ts'
import { currency } from '../../kernel/currencies/amounts.ts'
import { columnsOf, field, fieldTable, namesOf, neededWords, reference, words } from '../../kernel/fields/table.ts'
import { time } from '../../kernel/input/fields.ts'
import { Invalid } from '../../kernel/input/problem.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorColumns } from '../../kernel/principal.ts'
import { customField, type Emptiable, emptiableOf, externalIdField, ownerField, sourceField, tagsField } from '../records/common-fields.ts'

export const dealEvents = eventsOf('deal', {
  created: 'A deal was added.',
  deleted: 'A deal was deleted.',
  moved: update('A deal was moved to another stage.'),
  noted: 'A note was added to a deal.',
  restored: 'A deleted deal was brought back.',
  updated: update('A deal was changed.'),
})

/** The fields that callers may set. Beside them are the amount, whose value depends on its currency, the contacts and the stage. */
export const dealFields = fieldTable({
  title: neededWords(200, 'Title.', { takes: 'Title, at most 200 characters.' }),
  companyId: reference('The company that it is with.', { takes: 'A company of the organization that is not deleted.' }),
  currency: field(text.orNull(), {
    type: 'String',
    read: currency,
    is: 'The currency of the amount, by ISO 4217; null without one.',
    takes: 'The currency of the amount, by ISO 4217, such as EUR. Default: the currency of the organization.',
  }),
  expectedClose: field(date.orNull(), {
    type: 'Date',
    read: given => {
      const read = time(given)
      return read instanceof Invalid ? read : read.slice(0, 10)
    },
    is: 'The day on which it is expected to be won.',
  }),
  ownerUserId: ownerField('deal'),
  lostReason: words(200, 'The reason why it was lost; null for a deal that is not.', {
    takes: 'Needed for a lost deal, and refused for others. If the organization keeps reasons (`dealSettings`), one of them.',
  }),
  tags: tagsField,
  custom: customField("The organization's custom fields of deals, by key."),
  externalId: externalIdField('deal'),
  source: sourceField('deal'),
})

// The stored values of the fields that callers may set.
const stored = { ...columnsOf(dealFields), companyId: uuid.orNull(), amount: bigint.orNull() }

export const dealTable = table('deals', {
  id: uuid,
  orgId: uuid,
  pipelineId: uuid,
  stageId: uuid,
  position: text,
  ...stored,
  wonAt: timestamptz.orNull(),
  lostAt: timestamptz.orNull(),
  stageChangedAt: timestamptz,
  createdBy: object(actorColumns),
  createdAt: timestamptz,
  updatedAt: timestamptz,
  deletedAt: timestamptz.orNull(),
  version: integer,
  // Searched by the filter `q` and the search.
  searchText: text.writeOnly(),
})

/** `amount` is in the smallest unit of its currency. */
export interface Deal extends RowOf<typeof dealTable> {}
export const listedProperties = ['id', 'orgId', 'stageId', 'createdAt', 'updatedAt'] as const
/** The properties that every deal on a board has: its place tells where the next ones begin. */
export const boardProperties = [...listedProperties, 'position'] as const
/** The properties that every row of a list has. */
export type DealInList = Pick<Deal, (typeof listedProperties)[number]>
/** A deal in a list, with the properties that its query selects. */
export type ListedDeal = Selected<Deal, keyof DealInList>
export type DealOnBoard = Selected<Deal, (typeof boardProperties)[number]>

export const storedFields = namesOf(stored)
/** The stored values of the fields that callers may set. */
export type DealFields = Pick<Deal, keyof typeof stored>
export type EmptiableField = Emptiable<typeof stored>
export const emptiableColumns = emptiableOf(stored)

/** A contact of a deal. */
export interface DealContact {
  contactId: string
  role: string | null
}
