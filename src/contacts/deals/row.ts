// Deals as they are stored: their events, field table and columns.

import {
  bigint,
  date,
  integer,
  jsonb,
  object,
  type RowOf,
  type Selected,
  table,
  text,
  textArray,
  timestamptz,
  uuid,
} from '../../database/table.ts'
import { currency } from '../../kernel/currencies/amounts.ts'
import { asGiven, columnsOf, field, fieldTable, namesOf, neededWords, reference, words } from '../../kernel/fields/table.ts'
import { text as reading, time } from '../../kernel/input/fields.ts'
import { Invalid } from '../../kernel/input/problem.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorColumns } from '../../kernel/principal.ts'
import { tags } from '../records/fields.ts'
import { type ContactSource, contactSources } from '../records/source.ts'

export const dealEvents = eventsOf('deal', {
  created: 'A deal was added.',
  deleted: 'A deal was deleted.',
  moved: update('A deal was moved to another stage.'),
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
  ownerUserId: reference('The member of the organization who looks after the deal.', { takes: 'A member of the organization.' }),
  lostReason: words(200, 'The reason why it was lost; null for a deal that is not.', {
    takes: 'Needed for a lost deal, and refused for others. If the organization keeps reasons (`dealSettings`), one of them.',
  }),
  tags: field(textArray, {
    type: ['String'],
    read: tags,
    is: 'Tags, each once.',
    takes: 'All tags: at most 50, of at most 64 characters each.',
    default: [],
  }),
  custom: field(jsonb.as<Readonly<Record<string, unknown>>>(), {
    type: 'JSONObject',
    read: asGiven,
    is: "The organization's custom fields of deals, by key.",
    takes: 'Custom fields by key. Others stay as they are; null removes one.',
    default: {},
  }),
  externalId: field(text.orNull(), {
    type: 'ID',
    read: reading(255),
    is: "The deal's id in another system.",
    takes: "The deal's id in another system, at most 255 characters.",
  }),
  source: field(text.as<ContactSource>(), {
    type: contactSources,
    read: asGiven,
    is: 'Where the deal came from.',
    takes: 'Default: API for API keys, WEB for sessions, and so on.',
  }),
})

export const dealTable = table('deals', {
  id: uuid,
  orgId: uuid,
  pipelineId: uuid,
  stageId: uuid,
  position: text,
  ...columnsOf(dealFields),
  companyId: uuid.orNull(),
  amount: bigint.orNull(),
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
/** The properties that every row of a list has. */
export type DealInList = Pick<Deal, (typeof listedProperties)[number]>
/** A deal in a list, with the properties that its query selects. */
export type ListedDeal = Selected<Deal, keyof DealInList>

export const storedFields = [...namesOf(dealFields), 'amount'] as const
/** The stored values of the fields that callers may set. */
export type DealFields = Pick<Deal, (typeof storedFields)[number]>

/** The fields that may be empty: the nullable fields, and the lists. */
type Nullable = { [Name in keyof DealFields]: null extends DealFields[Name] ? Name : never }[keyof DealFields]
export type EmptiableField = Nullable | 'tags'
const isEmptiable = (name: keyof DealFields): name is EmptiableField =>
  name === 'tags' || name === 'amount' || dealFields[name].column.options.isNullable === true
// Object.fromEntries does not keep the key type; the keys are exactly these.
export const emptiableColumns = Object.fromEntries(
  storedFields.filter(isEmptiable).map(name => [name, dealTable.select([name]).sql]),
) as Readonly<Record<EmptiableField, string>>

/** A contact of a deal. */
export interface DealContact {
  contactId: string
  role: string | null
}
