// GraphQL: the types that grouped counts of all nouns share.

import type { EnumRef } from '@pothos/core'
import { calendarUnits } from '../../../kernel/lists/groups.sql.ts'
import type { Group, Groups } from '../../../kernel/lists/groups.ts'
import { builder } from '../builder.ts'

type Types = typeof builder.$inferSchemaTypes

const descriptions: Record<(typeof calendarUnits)[number], string> = {
  day: 'A day.',
  week: 'A week, from Monday.',
  month: 'A month.',
  year: 'A year.',
}

export const CalendarUnitEnum = builder.enumType('CalendarUnit', {
  description: 'How long the groups of a time are.',
  values: Object.fromEntries(calendarUnits.map(unit => [unit.toUpperCase(), { value: unit, description: descriptions[unit] }])),
})

const GroupType = builder.objectRef<Group>('Group').implement({
  description: 'Rows with the same values.',
  fields: t => ({
    keys: t.stringList({
      nullable: { list: false, items: true },
      description:
        'The value of each field that is grouped by, as text, of an enum its name; null for rows without one. Of a time the first day of its unit, as YYYY-MM-DD.',
      resolve: ({ keys }) => keys,
    }),
    count: t.exposeInt('count', { description: 'How many rows.' }),
    unique: t.exposeInt('unique', {
      nullable: true,
      description: 'How many different values `unique` has among them; null unless asked for.',
    }),
    sum: t.exposeFloat('sum', {
      nullable: true,
      description: 'The sum of the number asked for; null without one, and if a Float cannot hold it.',
    }),
    average: t.exposeFloat('average', { nullable: true, description: 'Its average over the rows that have one.' }),
  }),
})

export const GroupsType = builder.objectRef<Groups>('Groups').implement({
  description:
    'Grouped counts: the largest groups first, groups of a time in its order. By a time and another field the limit leaves out the earliest time as a whole, unless it is the only one.',
  fields: t => ({
    groups: t.expose('groups', { type: [GroupType], description: 'At most as many as asked for.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether there are further groups: smaller, or earlier ones.' }),
  }),
})

/** The options that the fields of all groupings share. */
export const grouping = {
  type: GroupsType,
  // The share of the maximum cost of an operation. 0.3: a grouping may read all rows of a noun for 10 s, so an operation may contain three.
  extensions: { costShare: 0.3 },
}

/**
 * The arguments that the fields of all groupings share. `name`: the input type that names a field to group by, and `of` the rows in its
 * description. `field`: the enum of the noun's fields.
 */
export function groupArgs<Field extends string>(name: string, of: string, field: EnumRef<Types, Field>) {
  const GroupBy = builder.inputType(name, {
    description: `A field that ${of} are counted by.`,
    fields: t => ({
      field: t.field({ type: field, required: true, description: 'The field.' }),
      per: t.field({ type: CalendarUnitEnum, description: 'Of a time: how long the groups are. Default: DAY.' }),
    }),
  })
  return builder.args(t => ({
    by: t.field({ type: [GroupBy], required: true, description: 'One or two fields.' }),
    unique: t.field({ type: field, description: 'Counts its different values in each group.' }),
    timezone: t.string({
      defaultValue: 'UTC',
      description:
        'In which days and longer units are counted: `Area/City` as the IANA database names it, such as `Europe/Berlin`, or `UTC`.',
    }),
    first: t.int({ defaultValue: 100, description: 'The most groups to return, 1 to 1000.' }),
  }))
}
