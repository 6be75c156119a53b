// Records counted by their fields, for charts.

import { type Context, organizationOf } from '../../../kernel/context.ts'
import { type FieldTable, isEnumeration } from '../../../kernel/fields/table.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import { type Condition, conditionsSql } from '../../../kernel/lists/filter-values.ts'
import type { GroupField } from '../../../kernel/lists/groups.sql.ts'
import { type GroupArgs, type Groups, groupRows } from '../../../kernel/lists/groups.ts'
import { customFieldsOf } from '../../custom-fields/field.ts'
import { type RecordNoun, tableOfNoun } from '../nouns.ts'
import { type DeletedFilter, kindOf } from './found.ts'
import { kindSqlOf } from './pages.sql.ts'

interface Counted extends GroupField {
  /** Description of the field in the schema. */
  description: string
}

/** The fields that records are counted by, named as their columns: those whose table says so, tags and times. */
export const countedFields = <Name extends string>(
  noun: RecordNoun,
  names: readonly Name[],
  fields: Pick<FieldTable, Name>,
  sqlOf: (name: Name) => string,
): Readonly<Record<string, Counted>> => ({
  ...Object.fromEntries(
    names.flatMap(name => {
      const { type, countedBy } = fields[name]
      const sql = sqlOf(name)
      const is = isEnumeration(type) ? 'enum' : type === 'DateTime' ? 'time' : 'text'
      return countedBy ? [[sql, { sql, is, description: countedBy }] as const] : []
    }),
  ),
  tag: { sql: 'tags', is: 'list', description: `Each tag: a ${noun} counts once for each of its own.` },
  created_at: { sql: 'created_at', is: 'time', description: 'When they were added.' },
  updated_at: { sql: 'updated_at', is: 'time', description: 'When they were last changed.' },
})

export interface RecordGrouping extends GroupArgs<string> {
  filter?: DeletedFilter | null
  /** The key of the custom field for the group field CUSTOM. */
  customField?: string | null
  /** The key of the custom field of numbers to sum. */
  sumOf?: string | null
}

/** Throws INVALID for custom fields that the organization has not defined, and for a sum of a custom field that is not a number. */
export async function groupRecords(
  context: Context,
  noun: RecordNoun,
  { fields: counted, conditions }: { fields: Readonly<Record<string, Counted>>; conditions: readonly Condition[] },
  { filter, customField, sumOf, ...args }: RecordGrouping,
): Promise<Groups> {
  const orgId = organizationOf(context)
  const table = tableOfNoun[noun]
  const isCustom = args.unique === 'custom' || args.by.some(({ field }) => field === 'custom')
  const fields = isCustom || sumOf != null ? await customFieldsOf(context, orgId, noun) : []
  const named = fields.find(({ key }) => key === customField)
  const summed = fields.find(({ key }) => key === sumOf)
  const problems = [
    ...(isCustom && customField == null ? [valueError('customField', 'CUSTOM needs the key of a custom field')] : []),
    ...(isCustom && customField != null && !named ? [valueError('customField', 'it is not the key of a custom field', customField)] : []),
    ...(!isCustom && customField != null ? [valueError('customField', 'it is for CUSTOM only', customField)] : []),
    ...(sumOf != null && summed?.type !== 'number' ? [valueError('sumOf', 'it is not the key of a custom field with numbers', sumOf)] : []),
  ]

  // The keys are safe inside SQL: definitions allow only letters, digits and underscores.
  return groupRows(
    context,
    {
      table,
      fields: { ...counted, custom: customSql(named) },
      where: `org_id = $1${kindSqlOf(table)[kindOf(filter)]}${conditionsSql(conditions)}`,
      values: [orgId, ...conditions.map(({ value }) => value)],
      measure: summed ? numberAt(summed.key) : null,
      problems,
    },
    args,
  )
}

// A value may be older than the type of the field, so its own type is checked.
const numberAt = (key: string) => `case when jsonb_typeof(custom -> '${key}') = 'number' then (custom ->> '${key}')::numeric end`
const itemsAt = (key: string) =>
  `case when jsonb_typeof(custom -> '${key}') = 'array' then array(select jsonb_array_elements_text(custom -> '${key}')) end`

function customSql(field: { key: string; type: string } | undefined): GroupField {
  if (!field) return { sql: 'null', is: 'text' }
  if (field.type === 'multi_select') return { sql: itemsAt(field.key), is: 'list' }
  return { sql: `custom ->> '${field.key}'`, is: 'text' }
}
