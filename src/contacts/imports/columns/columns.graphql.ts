// GraphQL: the columns of an import's file, and the fields that they become.

import { builder } from '../../../graphql/schema/builder.ts'
import { snakeCase } from '../../../kernel/input/case.ts'
import { CustomFieldTypeEnum } from '../../custom-fields/field.graphql.ts'
import { allFieldNames, fieldsOf, importNouns, namesOfFields } from '../nouns/fields.ts'
import type { ImportColumn } from './columns.ts'
import { customPrefix } from './headers.ts'
import type { MappedColumn } from './mapping.ts'

export const TextEncodingEnum = builder.enumType('TextEncoding', {
  description: 'The encoding of a file.',
  values: {
    UTF_8: { value: 'utf_8', description: 'UTF-8, with or without a byte order mark.' },
    UTF_16LE: { value: 'utf_16le', description: 'UTF-16, little-endian.' },
    UTF_16BE: { value: 'utf_16be', description: 'UTF-16, big-endian.' },
    WINDOWS_1252: { value: 'windows_1252', description: 'Windows-1252, which includes Latin-1 (ISO-8859-1).' },
    WINDOWS_1250: { value: 'windows_1250', description: 'Windows-1250, for Central Europe.' },
    WINDOWS_1251: { value: 'windows_1251', description: 'Windows-1251, for Cyrillic.' },
    WINDOWS_1253: { value: 'windows_1253', description: 'Windows-1253, for Greek.' },
    WINDOWS_1254: { value: 'windows_1254', description: 'Windows-1254, for Turkish.' },
    WINDOWS_1255: { value: 'windows_1255', description: 'Windows-1255, for Hebrew.' },
    WINDOWS_1256: { value: 'windows_1256', description: 'Windows-1256, for Arabic.' },
    WINDOWS_1257: { value: 'windows_1257', description: 'Windows-1257, for Baltic languages.' },
    WINDOWS_874: { value: 'windows_874', description: 'Windows-874, for Thai.' },
    MACINTOSH: { value: 'macintosh', description: 'Mac OS Roman, of Excel for Mac.' },
    SHIFT_JIS: { value: 'shift_jis', description: 'Shift JIS, for Japanese.' },
    GB18030: { value: 'gb18030', description: 'GB 18030, for Chinese; it includes GBK.' },
    EUC_KR: { value: 'euc_kr', description: 'EUC-KR, for Korean.' },
  } as const,
})

export const DelimiterEnum = builder.enumType('Delimiter', {
  description: 'Separator of the cells of a row.',
  values: {
    COMMA: { value: 'comma', description: 'A comma.' },
    SEMICOLON: { value: 'semicolon', description: 'A semicolon.' },
    TAB: { value: 'tab', description: 'A tab.' },
    PIPE: { value: 'pipe', description: 'A vertical bar.' },
  } as const,
})

const columns = allFieldNames.map(field => [field as string, snakeCase(field)] as const)
const columnOf = new Map(columns)
const fieldOf = new Map(columns.map(([field, column]) => [column, field]))

const ids: Readonly<Record<string, string>> = {
  recordId: 'The id of the row in its system, kept in `externalIds`.',
  companyRecordId: 'The id that its company has in the same system.',
  contactRecordIds: 'The ids that its contacts have in the same system.',
  dealRecordId: 'The id that its deal has in the same system.',
  relatedRecordId: 'The id that a deal, a contact or a company has in the same system, on which it hangs.',
}
const nounsWith = (field: string) =>
  importNouns.values.filter(noun => namesOfFields(noun).includes(field)).map(noun => `a ${fieldsOf[noun].word}`)
const describe = (field: string, column: string) =>
  ids[field] ??
  (nounsWith(field).includes('a contact') ? `The field ${column}.` : `The field ${column} of ${nounsWith(field).join(' or ')}.`)

export const ContactFieldEnum = builder.enumType('ContactField', {
  description: 'A field that a column of a file can become: of a contact, or of another noun of imports.',
  values: Object.fromEntries(
    columns.map(([field, column]) => [column.toUpperCase(), { value: column, description: describe(field, column) }]),
  ),
})

/** Rules name fields as in the changes of events: `email`, `custom.plan`. */
export const ownField = (field: string | null) => columnOf.get(field ?? '') ?? null
export const customKey = (field: string | null) => (field?.startsWith(customPrefix) ? field.slice(customPrefix.length) : null)

export const ImportColumnType = builder.objectRef<ImportColumn>('ContactImportColumn').implement({
  description: 'A column of an uploaded file.',
  fields: t => ({
    name: t.exposeString('name', {
      description: 'Its header, or its number. The second of two columns with the header Phone is Phone 2.',
    }),
    samples: t.exposeStringList('samples', { description: 'Up to three of its first values.' }),
    field: t.field({
      type: ContactFieldEnum,
      nullable: true,
      description: 'The field that its header suggests.',
      resolve: ({ field }) => ownField(field),
    }),
    customField: t.string({
      nullable: true,
      description: 'The key of the custom field that its header suggests.',
      resolve: ({ field }) => customKey(field),
    }),
    furtherField: t.field({
      type: ContactFieldEnum,
      nullable: true,
      description:
        'The field that its header means, where another column is suggested for it: a second phone number can go to a custom field.',
      resolve: ({ further }) => ownField(further ?? null),
    }),
    suggestedType: t.field({
      type: CustomFieldTypeEnum,
      description: 'The type that fits its first values, for a new custom field.',
      resolve: ({ type }) => type ?? 'text',
    }),
    suggestedOptions: t.stringList({
      description: 'The options of a suggested SELECT, from its first values.',
      resolve: ({ options }) => options ?? [],
    }),
  }),
})

export const MappedColumnType = builder.objectRef<MappedColumn>('ContactImportMapping').implement({
  description: 'The field that a column becomes.',
  fields: t => ({
    column: t.exposeInt('column', { description: 'The place of the column, from 0.' }),
    field: t.field({
      type: ContactFieldEnum,
      nullable: true,
      description: 'The field; null for a custom field.',
      resolve: ({ field }) => ownField(field),
    }),
    customField: t.string({ nullable: true, description: 'The key of a custom field.', resolve: ({ field }) => customKey(field) }),
  }),
})

export const MappedColumnInput = builder.inputType('ContactImportMappingInput', {
  description: 'The field that a column becomes.',
  fields: t => ({
    column: t.int({ required: true, description: 'The place of the column, from 0.' }),
    field: t.field({ type: ContactFieldEnum, description: 'The field. Either this or `customField`.' }),
    customField: t.string({ description: 'The key of a custom field.' }),
  }),
})

/** The mapping for the rules. A column with both or neither of the two fields has no field. */
export const mappingOf = (given: readonly (typeof MappedColumnInput.$inferInput)[] | null | undefined): MappedColumn[] | null =>
  given?.map(({ column, field, customField }) => {
    const isOne = (field ?? null) === null || (customField ?? null) === null
    return { column, field: isOne ? (fieldOf.get(field ?? '') ?? (customField ? customPrefix + customField : '')) : '' }
  }) ?? null
