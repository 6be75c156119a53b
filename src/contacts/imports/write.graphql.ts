// GraphQL: mutations of imports.

import { builder } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { DownloadType } from '../exports/export.graphql.ts'
import { settingFields, settingsOf } from './check/check.graphql.ts'
import { DelimiterEnum, TextEncodingEnum } from './columns/columns.graphql.ts'
import { ContactImportType } from './import.graphql.ts'
import { cancelImport, createImport, updateImport } from './import.ts'
import { importNouns } from './nouns/fields.ts'
import { maxFiles } from './parts/parts.ts'
import { createReport } from './report.ts'
import { startImport } from './start.ts'
import { undoImport } from './undo/undo.ts'

const CreateContactImportInput = builder.inputType('CreateContactImportInput', {
  description: 'A file to import, and its format. Absent settings are detected.',
  fields: t => ({
    uploadId: t.id({ required: true, description: 'The file. `POST /api/crm/v1/imports` uploads it, and makes the import itself.' }),
    fileName: t.string({ description: 'Its name.' }),
    partOf: t.id({ description: 'The import to which the file is added: the id of its first file. An import has at most 10 files.' }),
    encoding: t.field({ type: TextEncodingEnum, description: 'Its encoding.' }),
    delimiter: t.field({ type: DelimiterEnum, description: 'Separator of its cells.' }),
    hasHeader: t.boolean({ description: 'Whether a row of it has headers.' }),
    headerRow: t.int({ description: 'The number of the row with the headers, from 1. Rows above it are not imported.' }),
    sheet: t.string({ description: 'The name of the sheet of a workbook. Default: the first one with rows.' }),
    noun: t.field({
      type: enumOf(importNouns),
      description: "Noun of its rows. Default: as the headers of a known system's export say, and otherwise contacts.",
    }),
  }),
})

const UpdateContactImportInput = builder.inputType('UpdateContactImportInput', {
  description: "The format of an import's file. Absent settings are detected.",
  fields: t => ({
    id: t.id({ required: true, description: "The import's id." }),
    encoding: t.field({ type: TextEncodingEnum, description: 'Its encoding.' }),
    delimiter: t.field({ type: DelimiterEnum, description: 'Separator of its cells.' }),
    hasHeader: t.boolean({ description: 'Whether a row of it has headers.' }),
    headerRow: t.int({ description: 'The number of the row with the headers, from 1. Rows above it are not imported.' }),
    sheet: t.string({ description: 'The name of the sheet of a workbook. Default: the first one with rows.' }),
    noun: t.field({
      type: enumOf(importNouns),
      description: "Noun of its rows. Default: as the headers of a known system's export say, and otherwise contacts.",
    }),
  }),
})

const ImportFileInput = builder.inputType('ContactImportFileInput', {
  description: 'The settings of a further file of an import.',
  fields: t => ({
    id: t.id({ required: true, description: "The file's import." }),
    ...settingFields(t),
  }),
})

const StartContactImportInput = builder.inputType('StartContactImportInput', {
  description: 'An import to start.',
  fields: t => ({
    id: t.id({ required: true, description: "The import's id." }),
    ...settingFields(t),
    files: t.field({
      type: [ImportFileInput],
      description: 'The settings of the further files. Default: as their headers suggest.',
      extensions: { maxItems: maxFiles },
    }),
  }),
})

const CancelContactImportInput = builder.inputType('CancelContactImportInput', {
  description: 'An import to end.',
  fields: t => ({ id: t.id({ required: true, description: "The import's id." }) }),
})

const UndoContactImportInput = builder.inputType('UndoContactImportInput', {
  description: 'An import to undo.',
  fields: t => ({ id: t.id({ required: true, description: "The import's id." }) }),
})

const ReportKindEnum = builder.enumType('ContactImportReportKind', {
  description: 'Content of a report of an import.',
  values: {
    REFUSED_ROWS: { value: 'refused_rows', description: 'Rows that were not imported: row number, problem, original cells.' },
    WARNINGS: { value: 'warnings', description: 'Cells of imported rows: row number, column, value, and what to write instead.' },
  } as const,
})

const CreateContactImportReportInput = builder.inputType('CreateContactImportReportInput', {
  description: 'An import, and what of it is wanted.',
  fields: t => ({
    id: t.id({ required: true, description: "The import's id." }),
    kind: t.field({ type: ReportKindEnum, description: 'Content of the file. Default: REFUSED_ROWS.' }),
    byteOrderMark: t.boolean({ description: 'Begins the file with a byte order mark, which Excel needs. Default: false.' }),
  }),
})

builder.mutationFields(t => ({
  createContactImport: t.field({
    type: ContactImportType,
    description: 'Describes an uploaded file: its encoding, its columns with samples, and the fields that they probably are.',
    authScopes: { scope: 'contacts:write' },
    effect: { undoneBy: 'cancelContactImport' },
    args: { input: t.arg({ type: CreateContactImportInput, required: true, description: 'The file.' }) },
    resolve: (_parent, { input }, context) => createImport(context, input),
  }),
  updateContactImport: t.field({
    type: ContactImportType,
    description: 'Reads the file of an import that is not started in another way, and describes its columns again.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'updateContactImport with the former format', isIdempotent: true },
    args: { input: t.arg({ type: UpdateContactImportInput, required: true, description: 'The format.' }) },
    resolve: (_parent, { input }, context) => updateImport(context, input),
  }),
  startContactImport: t.field({
    type: ContactImportType,
    description:
      'Queues an import with all of its files. Each row is written by the rule of `batchContacts`; `changes` tells of the progress. Rows of another noun are written by its rules.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'undoContactImport' },
    args: { input: t.arg({ type: StartContactImportInput, required: true, description: 'The import.' }) },
    resolve: (_parent, { input }, context) =>
      startImport(context, {
        id: input.id,
        ...settingsOf(input),
        files: input.files?.map(({ id, ...given }) => ({ id, ...settingsOf(given) })),
      }),
  }),
  cancelContactImport: t.field({
    type: ContactImportType,
    description: 'Ends an import with all of its files. The rows that were imported stay. A further file that waits is only taken out.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: CancelContactImportInput, required: true, description: 'The import.' }) },
    resolve: (_parent, { input }, context) => cancelImport(context, input.id),
  }),
  undoContactImport: t.field({
    type: ContactImportType,
    description:
      'Queues the undo of an import, within 7 days of its end: records that it added are deleted, and changed ones get their former values, where nobody has changed them since. The first file of an import stands for all of its files, a further one for itself. `undo` of each file tells of the progress. Undoing again changes nothing.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, isIdempotent: true },
    args: { input: t.arg({ type: UndoContactImportInput, required: true, description: 'The import.' }) },
    resolve: (_parent, { input }, context) => undoImport(context, input.id),
  }),
  createContactImportReport: t.field({
    type: DownloadType,
    description: 'Makes a link to a file of the rows that an import refused, or of the cells that it left out. They are kept for 7 days.',
    authScopes: { scope: 'contacts:read' },
    effect: {},
    args: { input: t.arg({ type: CreateContactImportReportInput, required: true, description: 'The import.' }) },
    resolve: (_parent, { input }, context) => createReport(context, input),
  }),
}))
