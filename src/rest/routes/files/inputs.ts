// Zod schemas of exports and imports.

import { z } from 'zod'
import { camelCase } from '../../../kernel/input/case.ts'
import { integer, yesOrNo } from '../inputs.ts'

/** `first_name` -> `firstName`; the key in `custom.<key>` is the organization's own. */
const fieldName = z.string().transform(name => (name.startsWith('custom.') ? name : camelCase(name)))

export const newExport = z.strictObject({
  columns: z.array(fieldName).optional().meta({
    description: 'Fields of a contact such as `first_name`, and custom fields as `custom.<key>`. Default: all.',
  }),
  format: z.enum(['csv']).optional(),
  byte_order_mark: z.boolean().optional(),
})

const format = {
  encoding: z
    .enum([
      ...(['utf_8', 'utf_16le', 'utf_16be', 'windows_1252', 'windows_1250', 'windows_1251', 'windows_1253', 'windows_1254'] as const),
      ...(['windows_1255', 'windows_1256', 'windows_1257', 'windows_874', 'macintosh', 'shift_jis', 'gb18030'] as const),
      'euc_kr',
    ])
    .optional(),
  delimiter: z.enum(['comma', 'semicolon', 'tab', 'pipe']).optional(),
}
export const newImport = {
  file_name: z.string().min(1).max(255).optional(),
  ...format,
  has_header: yesOrNo().optional(),
  header_row: integer(1, 10_000).optional(),
}
export const importFormat = z.strictObject({ ...format, has_header: z.boolean().optional(), header_row: z.int().optional() })

export const importReport = z.strictObject({
  kind: z
    .enum(['refused_rows', 'warnings'])
    .optional()
    .meta({ description: 'Rows that were not imported, or cells that were left out.', unlessGiven: 'refused_rows' }),
  byte_order_mark: z.boolean().optional(),
})
