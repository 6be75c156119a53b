// GraphQL: the mutation that exports contacts.

import { builder } from '../../graphql/schema/builder.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import type { Download } from '../../kernel/downloads.ts'
import { ContactFilterInput, ContactSortEnum } from '../contact/list/list.graphql.ts'
import { createExport } from './export.ts'

export const DownloadType = builder.objectRef<Download>('Download').implement({
  description: 'A link to a file. It opens the file once, needs no credential, and is valid for 60 seconds.',
  fields: t => ({
    url: t.exposeString('url', {
      description: 'Where a GET answers with the file. Shown this once.',
      extensions: { isSecret: true },
    }),
    fileName: t.exposeString('fileName', { description: 'The name that a browser saves the file by.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the link stops working.' }),
  }),
})

const ExportFormatEnum = builder.enumType('ExportFormat', {
  description: 'The format of an export.',
  values: {
    CSV: {
      value: 'csv',
      description:
        'Comma-separated, in UTF-8. A cell that a spreadsheet would run as a formula begins with an apostrophe, which an import removes. ' +
        'Tags are joined by semicolons; a tag with a semicolon, comma or quote stands in quotes, with its quotes doubled.',
    },
  } as const,
})

const CreateContactExportInput = builder.inputType('CreateContactExportInput', {
  description: 'Which contacts to export, and what of them.',
  fields: t => ({
    filter: t.field({ type: ContactFilterInput, description: 'Which contacts. Default: all that live.' }),
    ids: t.idList({
      description: 'Only these of the contacts that match the filter, at most 1000. Ids of none are left out.',
    }),
    sort: t.field({ type: ContactSortEnum, description: 'In which order. Default: CREATED_AT_DESC.' }),
    columns: t.stringList({
      description: 'Fields of a contact such as `firstName`, and custom fields as `custom.<key>`. Default: all.',
    }),
    format: t.field({ type: ExportFormatEnum, description: 'Default: CSV.' }),
    byteOrderMark: t.boolean({ description: 'Begins the file with a byte order mark, which Excel needs. Default: false.' }),
  }),
})

builder.mutationField('createContactExport', t =>
  t.field({
    type: DownloadType,
    description: 'Makes a link to a file of contacts. The file is written while it is downloaded, with the rights of who made the link.',
    authScopes: { scope: 'contacts:read' },
    effect: {},
    args: { input: t.arg({ type: CreateContactExportInput, required: true, description: 'The contacts and columns to export.' }) },
    resolve: (_parent, { input }, context) => createExport(context, input),
  }),
)

noun('contact_export', null, { scope: 'contacts:read' })
