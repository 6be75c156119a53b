// Zod schemas of exports and imports.

import { z } from 'zod'
import type { ContactImportReportKind, Delimiter, ExportFormat, ImportNoun, TextEncoding } from '../../../generated/operations.ts'
import { camelCase } from '../../../kernel/input/case.ts'
import { enumOf, id, integer, yesOrNo } from '../inputs.ts'

/** `first_name` -> `firstName`; the key in `custom.<key>` is the organization's own. */
const fieldName = z.string().transform(name => (name.startsWith('custom.') ? name : camelCase(name)))

const exportOf = (records: string, example: string) =>
  z.strictObject({
    ids: z
      .array(id())
      .max(1000)
      .optional()
      .meta({ description: `Only these of the ${records} that match the query, at most 1000. Ids of none are left out.` }),
    columns: z
      .array(fieldName)
      .optional()
      .meta({ description: `Fields such as \`${example}\`, and custom fields as \`custom.<key>\`. Default: all.` }),
    format: enumOf<ExportFormat>('ExportFormat').optional(),
    byte_order_mark: z.boolean().optional(),
  })
export const newExport = exportOf('contacts', 'first_name')
export const newCompanyExport = exportOf('companies', 'employee_count')
export const newDealExport = exportOf('deals', 'stage_name')

const format = {
  encoding: enumOf<TextEncoding>('TextEncoding').optional(),
  delimiter: enumOf<Delimiter>('Delimiter').optional(),
}
const sheet = z.string().max(255).meta({ description: 'The name of the sheet of a workbook. Default: the first one with rows.' })
export const newImport = {
  file_name: z.string().min(1).max(255).optional(),
  ...format,
  has_header: yesOrNo().optional(),
  header_row: integer(1, 10_000).optional(),
  sheet: sheet.optional(),
  noun: enumOf<ImportNoun>('ImportNoun').optional(),
  part_of: id().optional().meta({ description: 'The import to which the file is added: the id of its first file.' }),
}
export const importFormat = z.strictObject({
  ...format,
  has_header: z.boolean().optional(),
  header_row: z.int().optional(),
  sheet: sheet.optional(),
  noun: enumOf<ImportNoun>('ImportNoun').optional(),
})

export const importReport = z.strictObject({
  kind: enumOf<ContactImportReportKind>('ContactImportReportKind')
    .optional()
    .meta({ description: 'Rows that were not imported, or cells that were left out.', unlessGiven: 'refused_rows' }),
  byte_order_mark: z.boolean().optional(),
})
