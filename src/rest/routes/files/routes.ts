// The endpoints of exports and imports of contacts.

import { z } from 'zod'
import {
  CancelContactImportDocument,
  CreateContactExportDocument,
  CreateContactImportDocument,
  CreateContactImportReportDocument,
  GetContactImportDocument,
  ListContactImportsDocument,
  PreviewContactImportDocument,
  StartContactImportDocument,
  UpdateContactImportDocument,
} from '../../../generated/operations.ts'
import { developers } from '../../router/callers.ts'
import { type Route, route } from '../../router/route.ts'
import { contactFilter, contactSort, pageOf, total } from '../inputs.ts'
import { fileExamples as examples } from './examples.ts'
import { importFormat, importPreview, importReport, importStart, newExport, newImport } from './inputs.ts'

const aFile = { role: 'api', tag: 'Imports and exports', callers: developers } as const

const imports = '/api/crm/v1/imports'
const oneImport = `${imports}/{import_id}` as const

export const fileRoutes: readonly Route[] = [
  route({
    ...aFile,
    method: 'POST',
    path: '/api/crm/v1/exports',
    operationId: 'createContactExport',
    summary: 'Export contacts',
    description:
      'Makes a link that opens a file of contacts once, within 60 seconds and without a credential. The query is that of the list ' +
      'of contacts, the body says what the file has of them.',
    scope: 'contacts:read',
    query: z.strictObject({ sort: contactSort.optional(), ...contactFilter }),
    body: newExport,
    bodyMayBeAbsent: true,
    document: CreateContactExportDocument,
    status: 201,
    isSecret: true,
    examples: { body: examples.newExport, answer: examples.download },
  }),
  route({
    ...aFile,
    method: 'POST',
    path: imports,
    operationId: 'createContactImport',
    summary: 'Upload a file to import',
    description:
      'The body is the file itself: CSV of at most 100 MB in UTF-8, UTF-16 or an older encoding of its language, its cells divided by commas, semicolons, tabs or vertical bars. ' +
      'The answer describes its columns, with the row that has their headers; start the import to write its rows. What is not detected right ' +
      'is given here, or changed later with PATCH. Workbooks of Excel are saved as CSV first.',
    scope: 'contacts:write',
    query: z.strictObject(newImport),
    isUpload: true,
    document: CreateContactImportDocument,
    status: 201,
    location: `${imports}/{id}`,
    errors: { CONFLICT: 'ten other files of the caller are being imported' },
    examples: { body: examples.csv, answer: examples.contactImport },
  }),
  route({
    ...aFile,
    method: 'GET',
    path: imports,
    operationId: 'listContactImports',
    summary: 'List imports',
    description: 'Newest first.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total }),
    document: ListContactImportsDocument,
    status: 200,
    examples: { answer: examples.importPage },
  }),
  route({
    ...aFile,
    method: 'GET',
    path: oneImport,
    operationId: 'getContactImport',
    summary: 'Get an import',
    description: 'How far it has come, and what became of its rows.',
    scope: 'contacts:read',
    document: GetContactImportDocument,
    status: 200,
    openWhile: { statuses: ['queued', 'running'], retryAfterSeconds: 1 },
    examples: { answer: examples.contactImport },
  }),
  route({
    ...aFile,
    method: 'PATCH',
    path: oneImport,
    operationId: 'updateContactImport',
    summary: 'Read the file of an import in another way',
    description:
      'For a file whose headers, delimiter or encoding were not detected right, before its import is started. What is absent is detected ' +
      'anew; the answer has the columns as they are then. Rows above the row with the headers are not imported.',
    scope: 'contacts:write',
    body: importFormat,
    document: UpdateContactImportDocument,
    status: 200,
    errors: { CONFLICT: 'it was started before' },
    examples: { body: { header_row: 4, delimiter: 'semicolon', encoding: 'windows_1252' }, answer: examples.contactImport },
  }),
  route({
    ...aFile,
    method: 'POST',
    path: `${oneImport}/preview`,
    operationId: 'previewContactImport',
    summary: 'Preview an import',
    description: 'What the first rows of the file would become with a mapping. Writes nothing.',
    scope: 'contacts:read',
    body: importPreview,
    bodyMayBeAbsent: true,
    document: PreviewContactImportDocument,
    status: 200,
    rowsKeyedByField: { rows: 'contact' },
    errors: { CONFLICT: 'the file is deleted, because the import has ended' },
    examples: { body: examples.importStart, answer: examples.importPreview },
  }),
  route({
    ...aFile,
    method: 'POST',
    path: `${oneImport}/start`,
    operationId: 'startContactImport',
    summary: 'Start an import',
    description:
      'Its rows are written in the background, by the rule of the batch endpoint. Without a mapping the headers decide. A cell that its ' +
      'field cannot hold is left out and counted in `warning_count`; its row is imported.',
    scope: 'contacts:write',
    body: importStart,
    bodyMayBeAbsent: true,
    document: StartContactImportDocument,
    status: 202,
    location: `${imports}/{id}`,
    errors: { CONFLICT: 'it was started before' },
    examples: { body: examples.importStart, answer: examples.startedImport },
  }),
  route({
    ...aFile,
    method: 'POST',
    path: `${oneImport}/cancel`,
    operationId: 'cancelContactImport',
    summary: 'Cancel an import',
    description: 'The rows that were imported stay.',
    scope: 'contacts:write',
    document: CancelContactImportDocument,
    status: 200,
    errors: { CONFLICT: 'it has ended' },
    examples: { answer: examples.canceledImport },
  }),
  route({
    ...aFile,
    method: 'POST',
    path: `${oneImport}/report`,
    operationId: 'createContactImportReport',
    summary: 'Download the refused rows of an import, or the cells it left out',
    description:
      'Makes a link to a CSV, as exports have. Refused rows: row number, problem, and the original cells. Warnings: row number, column, ' +
      'value, and what to write instead. They are kept for 7 days, the first 10,000 warnings of an import.',
    scope: 'contacts:read',
    body: importReport,
    bodyMayBeAbsent: true,
    document: CreateContactImportReportDocument,
    status: 201,
    isSecret: true,
    examples: { body: { kind: 'warnings' }, answer: examples.download },
  }),
]
