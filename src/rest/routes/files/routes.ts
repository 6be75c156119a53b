// The endpoints of exports and imports.

import { z } from 'zod'
import {
  CancelContactImportDocument,
  CheckContactImportDocument,
  CreateArchiveDocument,
  CreateArchiveDownloadDocument,
  CreateCompanyExportDocument,
  CreateContactExportDocument,
  CreateContactImportDocument,
  CreateContactImportReportDocument,
  CreateDealExportDocument,
  GetArchiveDocument,
  GetContactImportDocument,
  ListContactImportFilesDocument,
  ListContactImportsDocument,
  PreviewContactImportDocument,
  StartContactImportDocument,
  UndoContactImportDocument,
  UpdateContactImportDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { companyFilter, companySort } from '../contacts/companies.ts'
import { dealFilter, dealSort } from '../contacts/deals.ts'
import { contactFilter, contactSort } from '../contacts/routes.ts'
import { pageOf, total } from '../inputs.ts'
import { fileExamples as examples } from './examples.ts'
import { importFormat, importReport, newCompanyExport, newDealExport, newExport, newImport } from './inputs.ts'

const aFile = { role: 'api', tag: 'Imports and exports', callers: developers } as const

const importStart = {
  neverNull: ['mapping', 'on_conflict', 'values', 'edits'],
  described: { on_conflict: 'Action for a row whose email is taken. Absent: it is refused.' },
  of: {
    mapping: { name: 'ContactImportMappingRow' },
    values: { name: 'ContactImportValueRow' },
    edits: { name: 'ContactImportEditRow' },
  },
} as const

const anExport = (records: string) =>
  ({
    ...aFile,
    summary: `Export ${records}`,
    description:
      `Makes a link that opens a file of ${records} once, within 60 seconds and without a credential. It takes the query of the list ` +
      `of ${records}; the body names the columns of the file.`,
    scope: 'contacts:read',
    bodyMayBeAbsent: true,
    status: 201,
    isSecret: true,
  }) as const

const archive = '/api/crm/v1/archive'
// No API key may do this.
const ofOwners = { ...aFile, inOrganization: true } as const

const imports = '/api/crm/v1/imports'
const oneImport = `${imports}/{import_id}` as const

export const fileRoutes: readonly Route[] = [
  route('POST', '/api/crm/v1/exports', CreateContactExportDocument, {
    ...anExport('contacts'),
    query: z.strictObject({ sort: contactSort.optional(), ...contactFilter }),
    body: newExport,
    examples: { body: examples.newExport, answer: examples.download },
  }),
  route('POST', '/api/crm/v1/companies/exports', CreateCompanyExportDocument, {
    ...anExport('companies'),
    query: z.strictObject({ sort: companySort, ...companyFilter }),
    body: newCompanyExport,
    examples: { body: examples.newCompanyExport, answer: { ...examples.download, file_name: 'companies-2026-05-31.csv' } },
  }),
  route('POST', '/api/crm/v1/deals/exports', CreateDealExportDocument, {
    ...anExport('deals'),
    query: z.strictObject({ sort: dealSort, ...dealFilter }),
    body: newDealExport,
    examples: { body: examples.newDealExport, answer: { ...examples.download, file_name: 'deals-2026-05-31.csv' } },
  }),
  route('GET', archive, GetArchiveDocument, {
    ...ofOwners,
    summary: 'Get the archive',
    description: 'The latest archive of the organization, and how far it has come. For the session of an owner.',
    openWhile: { statuses: ['queued', 'running'], retryAfterSeconds: 1 },
    examples: { answer: examples.archive },
  }),
  route('POST', archive, CreateArchiveDocument, {
    ...ofOwners,
    summary: 'Make an archive',
    description:
      'Everything that the organization has as one zip: a CSV file for each noun, with ids, made in the background and kept for 7 days. ' +
      'While one is being made the answer is that one. For the session of an owner.',
    status: 202,
    examples: { answer: { ...examples.archive, status: 'queued', row_count: 0, byte_count: null, finished_at: null } },
  }),
  route('POST', `${archive}/download`, CreateArchiveDownloadDocument, {
    ...ofOwners,
    summary: 'Download the archive',
    description: 'Makes a link to the latest archive, as exports have. For the session of an owner.',
    status: 201,
    isSecret: true,
    errors: { CONFLICT: 'it is not ready, or has failed', NOT_FOUND: 'there is none' },
    examples: { answer: { ...examples.download, file_name: 'archive-2026-05-31.zip' } },
  }),
  route('POST', imports, CreateContactImportDocument, {
    ...aFile,
    summary: 'Upload a file to import',
    description:
      'The body is the file itself: CSV, a workbook of Excel (.xlsx) or vCards (.vcf), whatever type it is sent as. CSV has at most 100 MB in UTF-8, UTF-16 or an older encoding of its ' +
      'language, its cells divided by commas, semicolons, tabs or vertical bars; a workbook has at most 30 MB. ' +
      'The answer describes its columns, with the row that has their headers; start the import to write its rows. Settings that were detected wrong ' +
      'are given here, or changed later with PATCH.',
    scope: 'contacts:write',
    query: z.strictObject(newImport),
    isUpload: true,
    status: 201,
    location: `${imports}/{id}`,
    errors: { CONFLICT: 'ten other files of the caller are being imported' },
    examples: { body: examples.csv, answer: examples.contactImport },
  }),
  route('GET', imports, ListContactImportsDocument, {
    ...aFile,
    summary: 'List imports',
    description: 'Newest first.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, include: total }),
    examples: { answer: examples.importPage },
  }),
  route('GET', oneImport, GetContactImportDocument, {
    ...aFile,
    summary: 'Get an import',
    description: 'How far it has come, and what became of its rows.',
    scope: 'contacts:read',
    openWhile: { statuses: ['queued', 'running'], retryAfterSeconds: 1 },
    examples: { answer: examples.contactImport },
  }),
  route('GET', `${oneImport}/files`, ListContactImportFilesDocument, {
    ...aFile,
    summary: 'List the files of an import',
    description:
      'In the order in which they are imported: companies, contacts, deals, notes, tasks. A file is added by uploading it with `part_of`; it ' +
      'links to the others by the ids of the system that has written them.',
    scope: 'contacts:read',
    examples: { answer: { data: [examples.contactImport] } },
  }),
  route('PATCH', oneImport, UpdateContactImportDocument, {
    ...aFile,
    summary: 'Read the file of an import in another way',
    description:
      'For a file whose headers, delimiter or encoding were not detected right, before its import is started. Absent settings are detected ' +
      'again; the answer has the columns as they are then. Rows above the row with the headers are not imported.',
    scope: 'contacts:write',
    body: importFormat,
    errors: { CONFLICT: 'it was started before' },
    examples: { body: { header_row: 4, delimiter: 'semicolon', encoding: 'windows_1252' }, answer: examples.contactImport },
  }),
  derivedRoute('POST', `${oneImport}/preview`, PreviewContactImportDocument, {
    ...aFile,
    summary: 'Preview an import',
    description: 'The first rows of the file as a mapping would read them. Writes nothing.',
    scope: 'contacts:read',
    takes: { ...importStart, neverNull: [...importStart.neverNull, 'rows'] },
    bodyMayBeAbsent: true,
    rowsKeyedByField: { rows: 'contact' },
    errors: { CONFLICT: 'the file is deleted, because the import has ended' },
    examples: { body: examples.importStart, answer: examples.importPreview },
  }),
  derivedRoute('POST', `${oneImport}/check`, CheckContactImportDocument, {
    ...aFile,
    summary: 'Check the whole file of an import',
    description:
      'The outcomes that its rows would have, its problems in groups, and the values that its fields do not have, such as a stage of another ' +
      'system: give the start a choice for each in `values`. Writes nothing. It ends after 100,000 rows or 15 seconds.',
    scope: 'contacts:read',
    takes: importStart,
    bodyMayBeAbsent: true,
    errors: { CONFLICT: 'the file is deleted, because the import has ended' },
    examples: { body: examples.importStart, answer: examples.importCheck },
  }),
  derivedRoute('POST', `${oneImport}/start`, StartContactImportDocument, {
    ...aFile,
    summary: 'Start an import',
    description:
      'The rows of all its files are written in the background, by the rule of the batch endpoint. Without a mapping the headers decide. A cell that its ' +
      'field cannot hold is left out and counted in `warning_count`; its row is imported.',
    scope: 'contacts:write',
    takes: {
      ...importStart,
      neverNull: [...importStart.neverNull, 'files'],
      of: { ...importStart.of, files: { name: 'ContactImportFileRow', neverNull: importStart.neverNull } },
    },
    bodyMayBeAbsent: true,
    status: 202,
    location: `${imports}/{id}`,
    errors: { CONFLICT: 'it was started before' },
    examples: { body: examples.importStart, answer: examples.startedImport },
  }),
  route('POST', `${oneImport}/cancel`, CancelContactImportDocument, {
    ...aFile,
    summary: 'Cancel an import',
    description: 'The rows that were imported stay.',
    scope: 'contacts:write',
    errors: { CONFLICT: 'it has ended' },
    examples: { answer: examples.canceledImport },
  }),
  route('POST', `${oneImport}/undo`, UndoContactImportDocument, {
    ...aFile,
    summary: 'Undo an import',
    description:
      'Within 7 days of its end, in the background: contacts that it added are deleted, and changed ones get their former values, where nobody ' +
      'has changed or worked on them since. `undo` of the import counts them. Undoing again changes nothing; an undo that failed goes on.',
    scope: 'contacts:write',
    status: 202,
    errors: { CONFLICT: 'it has not ended, was not started, or ended more than 7 days ago' },
    examples: { answer: examples.undoneImport },
  }),
  route('POST', `${oneImport}/report`, CreateContactImportReportDocument, {
    ...aFile,
    summary: 'Download the refused rows of an import, or the cells it left out',
    description:
      'Makes a link to a CSV, as exports have. Refused rows: row number, problem, and the original cells. Warnings: row number, column, ' +
      'value, and what to write instead. They are kept for 7 days, the first 10,000 warnings of an import.',
    scope: 'contacts:read',
    body: importReport,
    bodyMayBeAbsent: true,
    status: 201,
    isSecret: true,
    examples: { body: { kind: 'warnings' }, answer: examples.download },
  }),
]
