// GraphQL: imports and their queries. Their mutations are in write.graphql.ts.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { ageSortArgs, connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { OnConflictEnum, WriteOutcomeEnum } from '../contact/contact.graphql.ts'
import { CellEditInput, CellEditType, settingsOf, ValueChoiceInput, ValueChoiceType } from './check/check.graphql.ts'
import {
  ContactFieldEnum,
  DelimiterEnum,
  ImportColumnType,
  MappedColumnInput,
  MappedColumnType,
  ownField,
  TextEncodingEnum,
} from './columns/columns.graphql.ts'
import type { Numbered } from './columns/columns.ts'
import { firstRows } from './describe.ts'
import type { ContactImport } from './import.sql.ts'
import { getImport, listImports, loadImports } from './import.ts'
import { importNouns, namesOfFields } from './nouns/fields.ts'
import { firstOf, loadFiles } from './parts/parts.ts'
import { type PreviewedRow, previewImport } from './preview.ts'
import { titleOf } from './profiles/profile.ts'
import { type ImportWarning, warningsOf } from './report.ts'
import { ImportUndoType } from './undo/undo.graphql.ts'
import { undoableUntil } from './undo/undo.ts'

const ContactImportStatusEnum = builder.enumType('ContactImportStatus', {
  description: 'How far an import has come.',
  values: {
    WAITING: { value: 'waiting', description: 'The file is there; the import is not started.' },
    QUEUED: { value: 'queued', description: 'It begins soon.' },
    RUNNING: { value: 'running', description: 'Rows are written.' },
    COMPLETED: { value: 'completed', description: 'The whole file was read.' },
    CANCELED: { value: 'canceled', description: 'Somebody ended it. The rows until then are imported.' },
    FAILED: { value: 'failed', description: 'The file could not be read to its end. The rows until then are imported.' },
  } as const,
})

const FileKindEnum = builder.enumType('ContactImportFileKind', {
  description: 'The kind of a file of contacts.',
  values: {
    CSV: { value: 'csv', description: 'Rows of text, with commas, semicolons, tabs or vertical bars between their cells.' },
    XLSX: { value: 'xlsx', description: 'A workbook of Excel.' },
    VCARD: { value: 'vcard', description: 'vCards, as address books write them.' },
  } as const,
})

export const ContactImportType = builder.objectRef<ContactImport>('ContactImport').implement({
  description: 'A file whose rows become contacts.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    fileName: t.exposeString('fileName', { nullable: true, description: 'The name of the file, if it was given.' }),
    byteCount: t.exposeInt('byteCount', { description: 'The size of the file; of a workbook or vCards, of the table in them.' }),
    kind: t.expose('kind', { type: FileKindEnum, description: 'The kind of the file.' }),
    sheet: t.exposeString('sheet', { nullable: true, description: 'The sheet of a workbook that is read.' }),
    sheets: t.exposeStringList('sheets', { description: 'The sheets of a workbook, without hidden ones.' }),
    encoding: t.expose('encoding', { type: TextEncodingEnum, description: 'The encoding of the file.' }),
    delimiter: t.expose('delimiter', { type: DelimiterEnum, description: 'Separator of its cells.' }),
    hasHeader: t.exposeBoolean('hasHeader', { description: 'Whether a row of it has headers.' }),
    headerRow: t.int({
      nullable: true,
      description: 'The number of the row with the headers, from 1. Rows above it, such as notes, are not imported. Null: there is none.',
      resolve: ({ hasHeader, headerRow }) => (hasHeader ? (headerRow ?? 1) : null),
    }),
    noun: t.expose('noun', { type: enumOf(importNouns), description: 'Noun of its rows.' }),
    system: t.string({
      nullable: true,
      description: 'The system that has written the file, such as HubSpot; null if it is not known.',
      resolve: ({ source }) => source && titleOf(source),
    }),
    fields: t.field({
      type: [ContactFieldEnum],
      description: 'The fields that its columns may become, beside custom fields.',
      resolve: ({ noun }) => namesOfFields(noun).flatMap(field => ownField(field) ?? []),
    }),
    partOf: t.exposeID('partOf', {
      nullable: true,
      description: 'The import of several files that it is a part of: the id of the first file. Null for the first file itself.',
    }),
    columns: t.field({ type: [ImportColumnType], description: 'Its columns.', resolve: ({ columns }) => columns }),
    status: t.expose('status', { type: ContactImportStatusEnum, description: 'How far it has come.' }),
    statusReason: t.exposeString('statusReason', { nullable: true, description: 'Why it failed.' }),
    mapping: t.field({
      type: [MappedColumnType],
      nullable: true,
      description: 'The mapping that it was started with; null before.',
      resolve: ({ mapping }) => mapping,
    }),
    onConflict: t.expose('onConflict', {
      type: OnConflictEnum,
      nullable: true,
      description: 'Action for a row whose address a contact has; null: it is refused.',
    }),
    values: t.field({
      type: [ValueChoiceType],
      description: 'The choices that it was started with.',
      resolve: ({ values }) => [...values],
    }),
    edits: t.field({ type: [CellEditType], description: 'The edited cells that it was started with.', resolve: ({ edits }) => [...edits] }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'The country of its phone numbers without a country code; null for the country of the organization.',
    }),
    bytesRead: t.exposeInt('bytesRead', { description: 'How much of the file was read, which tells the progress.' }),
    rowCount: t.exposeInt('rowCount', { description: 'Rows so far, without empty ones.' }),
    createdCount: t.exposeInt('createdCount', { description: 'Rows that added a contact.' }),
    updatedCount: t.exposeInt('updatedCount', { description: 'Rows whose contact now is as they say.' }),
    skippedCount: t.exposeInt('skippedCount', {
      description: 'Rows that changed nothing: their record has their values, or is to stay as it is.',
    }),
    refusedCount: t.exposeInt('refusedCount', { description: 'Rows with problems. `createContactImportReport` has them.' }),
    warningCount: t.exposeInt('warningCount', {
      description: 'Cells of imported rows that were left out, shortened, or cannot be used as they are. `contactImportWarnings` has them.',
    }),
    undo: t.field({
      type: ImportUndoType,
      nullable: true,
      description: 'Its undo; null if nobody has undone it.',
      resolve: ({ undo }) => undo,
    }),
    undoableUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until when it can be undone; null before its end, and for one that was not started.',
      resolve: undoableUntil,
    }),
    createdBy: t.expose('createdBy', { type: ActorType, description: 'The actor who uploaded the file.' }),
    startedBy: t.expose('startedBy', {
      type: ActorType,
      nullable: true,
      description: 'The actor who started it, and so made its changes; null before.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the file was uploaded.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true, description: 'When it was started.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
  }),
})

builder.objectField(ContactImportType, 'files', t =>
  t.field({
    type: [ContactImportType],
    description: 'All files of the import, in the order in which they are imported: companies, contacts, deals, notes, tasks.',
    resolve: (row, _args, context) => load(context, loadFiles, firstOf(row)),
  }),
)

const ContactImportConnection = connectionOf('ContactImport', 'imports', ContactImportType)

const WarningType = builder.objectRef<ImportWarning>('ContactImportWarning').implement({
  description: 'A cell of an imported row that was left out, shortened, or cannot be used as it is.',
  fields: t => ({
    row: t.exposeInt('row', { description: 'The number of its row in the file, from 1.' }),
    column: t.exposeInt('cell', { description: 'The place of its column, from 0.' }),
    columnName: t.exposeString('columnName', { description: 'The name of its column.' }),
    value: t.exposeString('value', { description: 'Its text, at most 200 characters.' }),
    message: t.exposeString('reason', { description: 'The treatment of the cell, and what to write instead.' }),
  }),
})

const PreviewedRowType = builder.objectRef<PreviewedRow>('ContactImportPreviewRow').implement({
  description: 'A row of a file as it would be imported.',
  fields: t => ({
    row: t.exposeInt('row', { description: 'Its place in the file, from 1, the header included.' }),
    cells: t.exposeStringList('cells', { description: 'Its cells as they are.' }),
    contact: t.expose('contact', { type: 'JSONObject', description: 'The fields that it sets, as they would be stored.' }),
    outcome: t.expose('outcome', { type: WriteOutcomeEnum, description: 'Its outcome, if it were imported now.' }),
    problem: t.exposeString('problem', { nullable: true, description: 'Why it would be refused.' }),
    warnings: t.field({
      type: [WarningType],
      description: 'Its cells that are left out, shortened, or cannot be used as they are.',
      resolve: ({ warnings }) => [...warnings],
    }),
  }),
})

const PreviewType = builder.objectRef<{ rows: PreviewedRow[] }>('ContactImportPreview').implement({
  description: 'The first rows of a file as they would be imported.',
  fields: t => ({ rows: t.field({ type: [PreviewedRowType], description: 'The rows, without empty ones.', resolve: ({ rows }) => rows }) }),
})

const FirstRowType = builder.objectRef<Numbered>('ContactImportRow').implement({
  description: 'A row of a file.',
  fields: t => ({
    row: t.exposeInt('row', { description: 'Its number in the file, from 1.' }),
    cells: t.stringList({ description: 'Its cells.', resolve: ({ cells }) => [...cells] }),
  }),
})

builder.queryFields(t => ({
  contactImportWarnings: t.field({
    type: [WarningType],
    description: 'The first cells that an import left out, shortened, or could not use as they are, by row. They are kept for 7 days.',
    authScopes: { scope: 'contacts:read' },
    args: { ...byId, first: t.arg.int({ defaultValue: 50, description: 'How many, 1 to 500. A report has up to 10,000.' }) },
    resolve: (_parent, { id, first }, context) => warningsOf(context, { id, first: first ?? 50 }),
  }),
  contactImportRows: t.field({
    type: [FirstRowType],
    description:
      'The first rows of a file as they are read, without empty ones: the row with the headers is one of them. Of a long cell they have the first 1,000 characters. None once the file is deleted.',
    authScopes: { scope: 'contacts:read' },
    args: { ...byId, rows: t.arg.int({ defaultValue: 20, description: 'How many rows, 1 to 50.' }) },
    resolve: async (_parent, { id, rows }, context) => firstRows(context, await getImport(context, id), rows ?? 20),
  }),
  contactImport: t.field({
    type: ContactImportType,
    nullable: true,
    description: 'An import; null with NOT_FOUND for one that does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getImport(context, id),
  }),
  contactImports: t.field({
    type: ContactImportConnection,
    description: "The organization's imports, newest first.",
    authScopes: { scope: 'contacts:read' },
    args: { ...pageArgs, ...ageSortArgs },
    resolve: (_parent, args, context, info) => listImports(context, { ...args, counted: isCounted(info) }),
  }),
  previewContactImport: t.field({
    type: PreviewType,
    description: 'The first rows of a file as they would be imported. Writes nothing.',
    authScopes: { scope: 'contacts:read' },
    args: {
      ...byId,
      mapping: t.arg({ type: [MappedColumnInput], description: 'Which column becomes which field. Default: as the headers suggest.' }),
      onConflict: t.arg({ type: OnConflictEnum, description: 'Action for a row whose address a contact has. Default: it is refused.' }),
      values: t.arg({ type: [ValueChoiceInput], description: 'Values that are read in place of values in the file.' }),
      edits: t.arg({ type: [CellEditInput], description: 'Cells with another text than in the file.' }),
      country: t.arg.string({ description: 'The country of phone numbers without a country code.' }),
      rows: t.arg.int({
        defaultValue: 10,
        description: 'How many rows, 1 to 100, of the first 10,000 of the file; empty rows are left out.',
      }),
    },
    resolve: async (_parent, { id, rows, ...given }, context) => ({
      rows: await previewImport(context, { id, rows, ...settingsOf(given) }),
    }),
  }),
}))

noun('contact_import', ContactImportType, { scope: 'contacts:read', load: loadImports })
