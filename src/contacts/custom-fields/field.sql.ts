// SQL on custom fields: reading definitions, which contact writes do often, and removing values, which Prisma cannot express.

import { statement } from '../../database/statement.ts'
import { type RowOf, rows, table, text, textArray, timestamptz, uuid } from '../../database/table.ts'
import { type RecordNoun, tableOfNoun } from '../records/nouns.ts'

const customFieldTypes = ['text', 'number', 'boolean', 'date', 'select', 'multi_select', 'url'] as const
export type CustomFieldType = (typeof customFieldTypes)[number]

const fields = table('custom_fields', {
  id: uuid,
  noun: text.as<RecordNoun>(),
  key: text,
  label: text,
  type: text.as<CustomFieldType>(),
  options: textArray,
  createdAt: timestamptz,
})
export interface CustomField extends RowOf<typeof fields> {}

/** $2 the noun, or null for all. */
export const selectFields = statement(
  'custom_fields',
  `select ${fields.all.sql} from custom_fields where org_id = $1 and ($2::text is null or noun = $2) order by created_at, id`,
  fields.all,
)

// Runs in pages by id, so that each statement is short, however many rows have the property.
const removePropertyOf = (name: string, table: string) =>
  statement(
    name,
    `with page as (select id from ${table} where org_id = $1 and custom ? $2 and id > $3 order by id limit 5000)
   update ${table} set custom = custom - $2, version = version + 1, updated_at = greatest(updated_at, $4)
   where id in (select id from page) returning id`,
    rows({ id: uuid }),
  )
/** $1 organization, $2 the key, $3 the id behind which to begin, $4 now. */
export const removeProperty = {
  contact: removePropertyOf('custom_field_remove', tableOfNoun.contact),
  company: removePropertyOf('custom_field_remove_of_companies', tableOfNoun.company),
  deal: removePropertyOf('custom_field_remove_of_deals', tableOfNoun.deal),
} satisfies Record<RecordNoun, unknown>
