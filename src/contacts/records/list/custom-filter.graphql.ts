// GraphQL: conditions on custom fields, for the filters of lists of records.

import { builder } from '../../../graphql/schema/builder.ts'

export const CustomFieldFilterInput = builder.inputType('CustomFieldFilter', {
  description: 'A condition on a custom field. All that is given must hold, and there must be something.',
  fields: t => ({
    key: t.string({ required: true, description: 'The key of the field.' }),
    in: t.stringList({ description: 'Has any of these values, at most 20. A list has one of them, true and false are texts.' }),
    min: t.float({ description: 'A number of at least this.' }),
    max: t.float({ description: 'A number of at most this.' }),
    since: t.field({ type: 'Date', description: 'A day then or later.' }),
    until: t.field({ type: 'Date', description: 'A day then or before.' }),
    empty: t.boolean({ description: 'Has no value, or with false has one.' }),
  }),
})
