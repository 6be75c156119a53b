// GraphQL: the mutations that export contacts, companies and deals.

import { builder } from '../../graphql/schema/builder.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import type { Download } from '../../kernel/downloads.ts'
import { CompanyFilterInput, CompanySortEnum } from '../companies/list.graphql.ts'
import { ContactFilterInput, ContactSortEnum } from '../contact/list/list.graphql.ts'
import { DealFilterInput, DealSortEnum } from '../deals/list/list.graphql.ts'
import { createCompanyExport } from './companies.ts'
import { createDealExport } from './deals.ts'
import { createContactExport } from './export.ts'

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

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

/** Fields of the inputs of all exports. */
const exportFields = (t: InputFields, records: string, example: string) => ({
  ids: t.idList({
    description: `Only these of the ${records} that match the filter, at most 1000. Ids of none are left out.`,
  }),
  columns: t.stringList({
    description: `Fields such as \`${example}\`, and custom fields as \`custom.<key>\`. Default: all.`,
  }),
  format: t.field({ type: ExportFormatEnum, description: 'Default: CSV.' }),
  byteOrderMark: t.boolean({ description: 'Begins the file with a byte order mark, which Excel needs. Default: false.' }),
})

const CreateContactExportInput = builder.inputType('CreateContactExportInput', {
  description: 'Which contacts to export, and what of them.',
  fields: t => ({
    filter: t.field({ type: ContactFilterInput, description: 'Which contacts. Default: all that live.' }),
    sort: t.field({ type: ContactSortEnum, description: 'In which order. Default: CREATED_AT_DESC.' }),
    ...exportFields(t, 'contacts', 'firstName'),
  }),
})
const CreateCompanyExportInput = builder.inputType('CreateCompanyExportInput', {
  description: 'Which companies to export, and what of them.',
  fields: t => ({
    filter: t.field({ type: CompanyFilterInput, description: 'Which companies. Default: all that live.' }),
    sort: t.field({ type: CompanySortEnum, description: 'In which order. Default: CREATED_AT_DESC.' }),
    ...exportFields(t, 'companies', 'employeeCount'),
  }),
})
const CreateDealExportInput = builder.inputType('CreateDealExportInput', {
  description: 'Which deals to export, and what of them.',
  fields: t => ({
    filter: t.field({ type: DealFilterInput, description: 'Which deals. Default: all that live.' }),
    sort: t.field({ type: DealSortEnum, description: 'In which order. Default: CREATED_AT_DESC.' }),
    ...exportFields(t, 'deals', 'stageName'),
  }),
})

const linkOf = (records: string) =>
  ({
    type: DownloadType,
    description: `Makes a link to a file of ${records}. The file is written while it is downloaded, with the rights of who made the link.`,
    authScopes: { scope: 'contacts:read' },
    effect: {},
  }) as const

builder.mutationFields(t => ({
  createContactExport: t.field({
    ...linkOf('contacts'),
    args: { input: t.arg({ type: CreateContactExportInput, required: true, description: 'The contacts and columns to export.' }) },
    resolve: (_parent, { input }, context) => createContactExport(context, input),
  }),
  createCompanyExport: t.field({
    ...linkOf('companies'),
    args: { input: t.arg({ type: CreateCompanyExportInput, required: true, description: 'The companies and columns to export.' }) },
    resolve: (_parent, { input }, context) => createCompanyExport(context, input),
  }),
  createDealExport: t.field({
    ...linkOf('deals'),
    args: { input: t.arg({ type: CreateDealExportInput, required: true, description: 'The deals and columns to export.' }) },
    resolve: (_parent, { input }, context) => createDealExport(context, input),
  }),
}))

noun('contact_export', null, { scope: 'contacts:read' })
noun('company_export', null, { scope: 'contacts:read' })
noun('deal_export', null, { scope: 'contacts:read' })
