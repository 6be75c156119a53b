// Enums of the fields that the filters `empty` and `notEmpty` accept.

import { builder } from '../builder.ts'

/** `columns`: the column of each field that may be empty. */
export const valueEnum = <Field extends string>(name: string, columns: Readonly<Record<Field, string>>) =>
  builder.enumType(name, {
    description: 'A field that may be empty.',
    values: Object.fromEntries(
      Object.entries<string>(columns).map(([field, column]) => [
        column.toUpperCase(),
        { value: field as Field, description: `The field ${column}.` },
      ]),
    ),
  })
