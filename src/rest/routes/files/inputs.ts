// The request bodies of exports and imports.

import { z } from 'zod'
import { camelCase } from '../inputs.ts'

/** `first_name` -> `firstName`; the key in `custom.<key>` is the organization's own. */
const fieldName = z.string().transform(name => (name.startsWith('custom.') ? name : camelCase(name)))

export const newExport = z.strictObject({
  columns: z.array(fieldName).optional().meta({
    description: 'Fields of a contact such as `first_name`, and custom fields as `custom.<key>`. Default: all.',
  }),
  format: z.enum(['csv']).optional(),
  byte_order_mark: z.boolean().optional(),
})
