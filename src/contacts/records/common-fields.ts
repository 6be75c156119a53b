// Fields that all records have, for the field tables of their nouns.

import type { Column } from '../../database/column.ts'
import { jsonb, rows, text, textArray } from '../../database/table.ts'
import { asGiven, field, reference } from '../../kernel/fields/table.ts'
import { text as reading } from '../../kernel/input/fields.ts'
import { country, tags } from './fields.ts'
import type { RecordNoun } from './nouns.ts'
import { type ContactSource, contactSources } from './source.ts'

/** `countedBy`: as in field tables. */
interface Counted {
  countedBy?: string
}

export const countryField = (more: Counted & { suggestedAs?: 'country' } = {}) =>
  field(text.orNull(), {
    type: 'String',
    read: country,
    is: 'ISO 3166-1 alpha-2, such as DE.',
    takes: 'ISO 3166-1 alpha-2, such as DE.',
    ...more,
  })

export const ownerField = (noun: RecordNoun, more: Counted = {}) =>
  reference(`The member of the organization who looks after the ${noun}.`, { takes: 'A member of the organization.', ...more })

export const tagsField = field(textArray.usually([]), {
  type: ['String'],
  read: tags,
  is: 'Tags, each once.',
  takes: 'All tags: at most 50, of at most 64 characters each.',
  default: [],
})

export const customField = (is: string) =>
  field(jsonb.as<Readonly<Record<string, unknown>>>().usually({}), {
    type: 'JSONObject',
    read: asGiven,
    is,
    takes: 'Custom fields by key. Others stay as they are; null removes one.',
    default: {},
  })

export const externalIdField = (noun: RecordNoun) =>
  field(text.orNull(), {
    type: 'ID',
    read: reading(255),
    is: `The ${noun}'s id in another system.`,
    takes: `The ${noun}'s id in another system, at most 255 characters.`,
  })

export const sourceField = (noun: RecordNoun, more: Counted = {}) =>
  field(text.as<ContactSource>().usually('api'), {
    type: contactSources,
    read: asGiven,
    is: `Where the ${noun} came from.`,
    takes: 'Default: API for API keys, WEB for sessions, and so on.',
    ...more,
  })

type Columns = Readonly<Record<string, Column<unknown>>>
/** The names of the fields that may be empty: nullable ones, and lists. */
export type Emptiable<Of extends Columns> = {
  [Name in keyof Of & string]: null extends Of[Name]['value'] ? Name : Of[Name]['value'] extends readonly unknown[] ? Name : never
}[keyof Of & string]

/** The columns of the fields that may be empty, as SQL. */
export function emptiableOf<Of extends Columns>(columns: Of): Readonly<Record<Emptiable<Of>, string>> {
  const emptiable = Object.entries(columns).filter(([, { options, type }]) => options.isNullable === true || type.endsWith('[]'))
  // Object.fromEntries does not keep the key type; the keys are exactly these.
  return Object.fromEntries(emptiable.map(([name, column]) => [name, rows({ [name]: column }).sql])) as Readonly<
    Record<Emptiable<Of>, string>
  >
}
