// SQL on custom fields: reading definitions, which contact writes do often, and removing values, which Prisma cannot express.

import { statement } from '../../database/statement.ts'
import { type RowOf, rows, table, text, textArray, timestamptz, uuid } from '../../database/table.ts'

const customFieldTypes = ['text', 'number', 'boolean', 'date', 'select', 'multi_select', 'url'] as const
export type CustomFieldType = (typeof customFieldTypes)[number]

const fields = table('custom_fields', {
  id: uuid,
  key: text,
  label: text,
  type: text.as<CustomFieldType>(),
  options: textArray,
  createdAt: timestamptz,
})
export interface CustomField extends RowOf<typeof fields> {}

export const selectFields = statement(
  'custom_fields',
  `select ${fields.all.sql} from custom_fields where org_id = $1 order by created_at, id`,
  fields.all,
)

// Runs in pages by id, so that each statement is short, however many contacts have the property.
export const removeProperty = statement(
  'custom_field_remove',
  `with page as (select id from contacts where org_id = $1 and custom ? $2 and id > $3 order by id limit 5000)
   update contacts set custom = custom - $2, version = version + 1, updated_at = greatest(updated_at, $4)
   where id in (select id from page) returning id`,
  rows({ id: uuid }),
)
