// GraphQL: the settings of an import, and the check of its whole file.

import { builder, byId } from '../../../graphql/schema/builder.ts'
import { OnConflictEnum } from '../../contact/contact.graphql.ts'
import type { CellEdit, ValueChoice } from '../cells/choices.ts'
import { ContactFieldEnum, customKey, MappedColumnInput, mappingOf, ownField } from '../columns/columns.graphql.ts'
import { type GivenSettings, maxChoices, maxEdits } from '../settings.ts'
import { checkImport, type ImportCheck, type UnknownValue } from './check.ts'
import type { ProblemCell, ProblemGroup } from './groups.ts'

export const ValueChoiceType = builder.objectRef<ValueChoice>('ContactImportValueChoice').implement({
  description: 'The value that is read in place of a value in a file.',
  fields: t => ({
    column: t.exposeInt('column', { description: 'The place of the column, from 0.' }),
    value: t.exposeString('value', { description: 'The value in the file.' }),
    to: t.exposeString('to', { nullable: true, description: 'The value in its place; null leaves the field empty.' }),
    addOption: t.boolean({ description: 'Whether it was added to the options.', resolve: ({ addOption }) => addOption ?? false }),
  }),
})

export const CellEditType = builder.objectRef<CellEdit>('ContactImportEdit').implement({
  description: 'A cell with another text than in the file.',
  fields: t => ({
    row: t.exposeInt('row', { description: 'The number of its row in the file, from 1.' }),
    column: t.exposeInt('column', { description: 'The place of its column, from 0.' }),
    value: t.exposeString('value', { description: 'Its text.' }),
  }),
})

const ValueChoiceInput = builder.inputType('ContactImportValueInput', {
  description:
    'The value that is read in place of a value in a file: of a stage, a pipeline, an owner, a country, or an option of a custom field.',
  fields: t => ({
    column: t.int({ required: true, description: 'The place of the column, from 0.' }),
    value: t.string({ required: true, description: 'The value in the file, without regard to case.' }),
    to: t.string({
      description:
        'A value of the field: a stage, the id or the address of a member, a country, an option, or the id of a stage of deals or of a pipeline. Null leaves the field empty.',
    }),
    addOption: t.boolean({ description: 'Adds `to` to the options of the custom field when the import starts. Default: false.' }),
  }),
})

const CellEditInput = builder.inputType('ContactImportEditInput', {
  description: 'A cell to be read with another text.',
  fields: t => ({
    row: t.int({ required: true, description: 'The number of its row in the file, from 1.' }),
    column: t.int({ required: true, description: 'The place of its column, from 0.' }),
    value: t.string({ required: true, description: 'Its text, at most 1,000 characters.' }),
  }),
})

type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

/** The members of an input with the settings of an import. */
export const settingFields = (t: Fields) => ({
  mapping: t.field({
    type: [MappedColumnInput],
    description: 'Which column becomes which field; others are left out. Default: as the headers suggest.',
  }),
  onConflict: t.field({ type: OnConflictEnum, description: 'Action for a row whose address a contact has. Default: it is refused.' }),
  values: t.field({
    type: [ValueChoiceInput],
    description: `Values that are read in place of values in the file, at most ${maxChoices}.`,
    extensions: { maxItems: maxChoices },
  }),
  edits: t.field({
    type: [CellEditInput],
    description: `Cells with another text than in the file, at most ${maxEdits}.`,
    extensions: { maxItems: maxEdits },
  }),
  country: t.string({
    description: 'The country of phone numbers without a country code, ISO 3166-1 alpha-2. Default: of the organization.',
  }),
})

type GivenInput = Omit<GivenSettings, 'mapping' | 'values'> & {
  mapping?: readonly (typeof MappedColumnInput.$inferInput)[] | null
  values?: readonly (typeof ValueChoiceInput.$inferInput)[] | null
}

/** The settings for the rules. */
export const settingsOf = ({ mapping, onConflict, values, edits, country }: GivenInput): GivenSettings => ({
  ...{ mapping: mappingOf(mapping), onConflict, edits, country },
  values: values?.map(({ to, ...one }) => ({ ...one, to: to ?? null })) ?? null,
})

const UnknownValueType = builder.objectRef<UnknownValue>('ContactImportUnknownValue').implement({
  description: 'A value of a file that its field does not have: a stage, an owner, a country, or an option.',
  fields: t => ({
    column: t.exposeInt('column', { description: 'The place of its column, from 0.' }),
    columnName: t.exposeString('columnName', { description: 'The name of its column.' }),
    field: t.field({
      type: ContactFieldEnum,
      nullable: true,
      description: 'The field; null for a custom field.',
      resolve: ({ field }) => ownField(field),
    }),
    customField: t.string({ nullable: true, description: 'The key of a custom field.', resolve: ({ field }) => customKey(field) }),
    value: t.exposeString('value', { description: 'The value, as its first row has it.' }),
    rowCount: t.exposeInt('rowCount', { description: 'Rows with it.' }),
    suggestion: t.exposeString('suggestion', { nullable: true, description: 'The value that it probably means, for `to` of a choice.' }),
  }),
})

const ProblemKindEnum = builder.enumType('ContactImportProblemKind', {
  description: 'Effect of a problem.',
  values: {
    ERROR: { value: 'error', description: 'The row is not imported.' },
    WARNING: { value: 'warning', description: 'The cell is left out, shortened, or cannot be used as it is; its row is imported.' },
  } as const,
})

const ProblemCellType = builder.objectRef<ProblemCell>('ContactImportProblemCell').implement({
  description: 'A cell with a problem.',
  fields: t => ({
    row: t.exposeInt('row', { description: 'The number of its row in the file, from 1; 0 for the file.' }),
    value: t.exposeString('value', { description: 'Its text, at most 200 characters; for a problem of the whole row, its cells.' }),
  }),
})

const ProblemGroupType = builder.objectRef<ProblemGroup>('ContactImportProblem').implement({
  description: 'A problem that rows of a file have.',
  fields: t => ({
    kind: t.expose('kind', { type: ProblemKindEnum, description: 'Its effect.' }),
    column: t.exposeInt('column', { nullable: true, description: 'The place of its column, from 0; null for the whole row.' }),
    columnName: t.exposeString('columnName', { nullable: true, description: 'The name of its column.' }),
    message: t.exposeString('message', { description: 'The problem, and what to write instead.' }),
    rowCount: t.exposeInt('rowCount', { description: 'Rows with it.' }),
    cells: t.field({ type: [ProblemCellType], description: 'The first 20 cells.', resolve: ({ cells }) => cells }),
  }),
})

const CheckType = builder.objectRef<ImportCheck>('ContactImportCheck').implement({
  description: 'The outcomes that all rows of a file would have, if they were imported now.',
  fields: t => ({
    checkedCount: t.exposeInt('checkedCount', { description: 'Rows that were checked, without empty ones.' }),
    isWhole: t.exposeBoolean('isWhole', {
      description: 'Whether all rows were checked. A check ends after 100,000 rows or 15 seconds, and where the file cannot be read.',
    }),
    createdCount: t.int({ description: 'Rows that would add a contact.', resolve: ({ counts }) => counts.created }),
    updatedCount: t.int({ description: 'Rows that would change one.', resolve: ({ counts }) => counts.updated }),
    skippedCount: t.int({
      description: 'Rows that would change nothing: their record has their values, or is to stay as it is.',
      resolve: ({ counts }) => counts.skipped,
    }),
    refusedCount: t.int({ description: 'Rows that would be refused.', resolve: ({ counts }) => counts.failed }),
    existingCount: t.exposeInt('existingCount', { description: 'Rows whose address or id a contact has, or an earlier row.' }),
    warningCount: t.exposeInt('warningCount', { description: 'Cells with a warning.' }),
    problems: t.field({
      type: [ProblemGroupType],
      description: 'The problems: errors first, then by their number of rows. At most 100.',
      resolve: ({ groups }) => groups,
    }),
    unknownValues: t.field({
      type: [UnknownValueType],
      description: 'Values without a choice that their fields do not have, the most frequent first. At most 200.',
      resolve: ({ unknownValues }) => unknownValues,
    }),
    unknownValueCount: t.exposeInt('unknownCount', { description: 'The number of all such values.' }),
  }),
})

builder.queryField('checkContactImport', t =>
  t.field({
    type: CheckType,
    description: 'Checks the whole file of an import. Writes nothing.',
    authScopes: { scope: 'contacts:read' },
    args: {
      ...byId,
      mapping: t.arg({ type: [MappedColumnInput], description: 'Which column becomes which field. Default: as the headers suggest.' }),
      onConflict: t.arg({ type: OnConflictEnum, description: 'Action for a row whose address a contact has. Default: it is refused.' }),
      values: t.arg({ type: [ValueChoiceInput], description: 'Values that are read in place of values in the file.' }),
      edits: t.arg({ type: [CellEditInput], description: 'Cells with another text than in the file.' }),
      country: t.arg.string({ description: 'The country of phone numbers without a country code.' }),
    },
    resolve: (_parent, { id, ...given }, context) => checkImport(context, { id, ...settingsOf(given) }),
  }),
)

export { CellEditInput, ValueChoiceInput }
